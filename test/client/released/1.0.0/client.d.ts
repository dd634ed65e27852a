import { type ClientOptions } from './client-fetch.js';
/** Types of a route's request and answer: `InferResponseType<Api['user'][':id']['$get']>`. */
export type { InferRequestType, InferResponseType } from './requests.js';
export { type ClientOptions, ProblemError } from './client-fetch.js';
type Query = Record<string, string>;
interface ChangesQuery {
    /** The last sequence that is known; 0 reads everything. */
    after?: number;
    limit?: number;
    /** `body`: with each thing as its list shows it. */
    include?: 'body';
}
/** A client of the service: `api` has every route; `cases`, `responses` and `changes` read long lists page by page. */
export declare function createClient(options: ClientOptions): {
    api: {
        investigation: {
            ":id": {
                changes: import("./requests.js").ClientRequest<string, "/investigation/:id/changes", {
                    $get: {
                        input: {
                            query?: {
                                after?: string | undefined;
                                limit?: string | undefined;
                                include?: "body" | undefined;
                            };
                        } & {
                            param: {
                                id: string;
                            };
                        };
                        output: {
                            investigation: string;
                            changes: ({
                                sequence: number;
                                identifier: string;
                                state: "active" | "archived" | "deleted" | "locked" | "removed";
                                at: string;
                                revision?: string | undefined;
                                kind: "study";
                                body?: {
                                    uri: string;
                                    identifier: string;
                                    name: string;
                                    timeZone: string;
                                    startsOn: string;
                                    creation: string;
                                    role: "editor" | "owner" | "responder";
                                    status: "active" | "archived";
                                    lockPolicy: {
                                        unlock: "owners" | "viewers";
                                        signature: boolean;
                                    };
                                    frozenAt?: string | undefined;
                                    deletedAt?: string | undefined;
                                } | null | undefined;
                            } | {
                                sequence: number;
                                identifier: string;
                                state: "active" | "archived" | "deleted" | "locked" | "removed";
                                at: string;
                                revision?: string | undefined;
                                kind: "case";
                                body?: {
                                    lockedAt?: string | undefined;
                                    lockSignature?: {
                                        name: string;
                                        meaning: string;
                                        at: string;
                                    } | undefined;
                                    lock?: {
                                        activity: string;
                                        actor: string;
                                        actorName: string;
                                        code?: string | undefined;
                                        reason?: string | undefined;
                                    } | undefined;
                                    status?: "active" | "archived" | "deleted" | undefined;
                                    identifier: string;
                                    uri: string;
                                    creation: string;
                                    label: string;
                                    hidden: boolean;
                                    revisionIdentifier: string;
                                    editedAt: number;
                                    creatorIdentifier: string;
                                    creatorNames: string;
                                    creatorAvatar: string;
                                } | null | undefined;
                            } | {
                                sequence: number;
                                identifier: string;
                                state: "active" | "archived" | "deleted" | "locked" | "removed";
                                at: string;
                                revision?: string | undefined;
                                kind: "response";
                                body?: {
                                    lockedAt?: string | undefined;
                                    lockSignature?: {
                                        name: string;
                                        meaning: string;
                                        at: string;
                                    } | undefined;
                                    lock?: {
                                        activity: string;
                                        actor: string;
                                        actorName: string;
                                        code?: string | undefined;
                                        reason?: string | undefined;
                                    } | undefined;
                                    status?: "active" | "archived" | "deleted" | undefined;
                                    givenAt?: string | undefined;
                                    receivedAt?: string | undefined;
                                    notification?: string | null | undefined;
                                    late?: boolean | undefined;
                                    uri: string;
                                    identifier: string;
                                    b64Identifier: string;
                                    creation: string;
                                    case: string;
                                    responder: string;
                                    name: string;
                                    code?: string | undefined;
                                    avatar: string;
                                    items: {
                                        [x: string]: string;
                                    };
                                    reasons: {
                                        [x: string]: number;
                                    };
                                    survey: string;
                                    revisionUNIX: number;
                                    revisionIdentifier: string;
                                } | null | undefined;
                            } | {
                                sequence: number;
                                identifier: string;
                                state: "active" | "archived" | "deleted" | "locked" | "removed";
                                at: string;
                                revision?: string | undefined;
                                kind: "survey";
                                body?: {
                                    uri: string;
                                    identifier: string;
                                    investigation: string;
                                    name: string;
                                    items: {
                                        identifier: string;
                                        label: string;
                                        answer?: {
                                            kind: "number";
                                            required?: boolean | undefined;
                                            min?: number | undefined;
                                            max?: number | undefined;
                                        } | {
                                            kind: "scale";
                                            required?: boolean | undefined;
                                            min: number;
                                            max: number;
                                            options?: {
                                                value: string;
                                                label: string;
                                            }[] | undefined;
                                        } | {
                                            kind: "text";
                                            required?: boolean | undefined;
                                        } | {
                                            kind: "choice";
                                            required?: boolean | undefined;
                                            options: {
                                                value: string;
                                                label: string;
                                            }[];
                                        } | {
                                            kind: "choices";
                                            required?: boolean | undefined;
                                            options: {
                                                value: string;
                                                label: string;
                                            }[];
                                        } | {
                                            kind: "yes-no";
                                            required?: boolean | undefined;
                                        } | {
                                            kind: "time";
                                            required?: boolean | undefined;
                                        } | {
                                            kind: "date";
                                            required?: boolean | undefined;
                                        } | undefined;
                                    }[];
                                    reminders: {
                                        type: "fixed" | "rolling" | "triggered";
                                        recurrence: string | null;
                                        clock?: "participant" | "study" | undefined;
                                        trigger?: {
                                            survey: string;
                                            where?: {
                                                [x: string]: string[];
                                            } | undefined;
                                            after: number;
                                            at?: string | undefined;
                                            each: boolean;
                                        } | undefined;
                                        ends: number | null;
                                        delay: number | null;
                                        unlessAnswered: boolean;
                                        expiresAfter: number;
                                        windows?: {
                                            from: string;
                                            to: string;
                                            count: number;
                                        }[] | undefined;
                                        minGap?: number | undefined;
                                        notification: {
                                            subject: string;
                                            body: string;
                                        };
                                        translations?: {
                                            [x: string]: {
                                                subject: string;
                                                body: string;
                                            };
                                        } | undefined;
                                        answerWithin?: number | undefined;
                                        lateAnswers?: "accept" | "refuse" | undefined;
                                        followUps?: {
                                            every: number;
                                            max: number;
                                            stop: "answered" | "opened";
                                        } | null | undefined;
                                    } | null;
                                    archivedAt?: string | undefined;
                                } | null | undefined;
                            } | {
                                sequence: number;
                                identifier: string;
                                state: "active" | "archived" | "deleted" | "locked" | "removed";
                                at: string;
                                revision?: string | undefined;
                                kind: "member";
                                body?: {
                                    user: string;
                                    identifier: string;
                                    name: string;
                                    avatar: string;
                                    role: "editor" | "owner" | "responder";
                                    code?: string | undefined;
                                    invitedAs?: string | undefined;
                                    enrolment?: {
                                        identifier: string;
                                        label?: string | undefined;
                                    } | undefined;
                                } | null | undefined;
                            })[];
                            next: number;
                            latest: number;
                        };
                        outputFormat: "json";
                        status: 200;
                    };
                }>;
            };
        };
    } & {
        response: {
            ":id": {
                revisions: import("./requests.js").ClientRequest<string, "/response/:id/revisions", {
                    $get: {
                        input: {
                            query?: {
                                limit?: string | undefined;
                                cursor?: string | undefined;
                            };
                        } & {
                            param: {
                                id: string;
                            };
                        };
                        output: {
                            response: string;
                            revisions: {
                                givenAt?: string | undefined;
                                receivedAt?: string | undefined;
                                identifier: string;
                                revisionDate: number;
                                author: string;
                                items: {
                                    [x: string]: string;
                                };
                                reasons: {
                                    [x: string]: number;
                                };
                                reason?: string | undefined;
                            }[];
                            next?: string | undefined;
                        };
                        outputFormat: "json";
                        status: import("./requests.js").ContentfulStatusCode;
                    };
                }>;
            };
        };
    } & {
        investigation: {
            ":id": {
                activity: {
                    ":entry": {
                        items: import("./requests.js").ClientRequest<string, "/investigation/:id/activity/:entry/items", {
                            $get: {
                                input: {
                                    query?: {
                                        limit?: string | undefined;
                                        cursor?: string | undefined;
                                    };
                                } & {
                                    param: {
                                        id: string;
                                    } & {
                                        entry: string;
                                    };
                                };
                                output: {
                                    cases: {
                                        identifier: string;
                                    }[];
                                    responses: {
                                        identifier: string;
                                    }[];
                                    next?: string | undefined;
                                };
                                outputFormat: "json";
                                status: import("./requests.js").ContentfulStatusCode;
                            };
                        }>;
                    };
                };
            };
        };
    } & {
        user: {
            ":id": {
                "time-zones": import("./requests.js").ClientRequest<string, "/user/:id/time-zones", {
                    $get: {
                        input: {
                            param: {
                                id: string;
                            };
                        };
                        output: {
                            user: string;
                            timeZones: {
                                timeZone: string;
                                since: string;
                                from: "device" | "study" | "user";
                            }[];
                        };
                        outputFormat: "json";
                        status: import("./requests.js").ContentfulStatusCode;
                    };
                }>;
            };
        };
    } & {
        ".well-known": {
            "jwks.json": import("./requests.js").ClientRequest<string, "/.well-known/jwks.json", {
                $get: {
                    input: {};
                    output: {
                        keys: {
                            kty: string;
                            crv: string;
                            x: string;
                            kid: string;
                            alg: string;
                            use: string;
                        }[];
                    };
                    outputFormat: "json";
                    status: import("./requests.js").ContentfulStatusCode;
                };
            }>;
        };
    } & {
        problems: {
            ":code": import("./requests.js").ClientRequest<string, "/problems/:code", {
                $get: {
                    input: {
                        param: {
                            code: string;
                        };
                    };
                    output: {};
                    outputFormat: string;
                    status: import("./requests.js").StatusCode;
                };
            }>;
        };
    } & {
        push: {
            key: import("./requests.js").ClientRequest<string, "/push/key", {
                $get: {
                    input: {};
                    output: {
                        publicKey: string;
                    };
                    outputFormat: "json";
                    status: import("./requests.js").ContentfulStatusCode;
                };
            }>;
        };
    } & {
        relay: {
            events: import("./requests.js").ClientRequest<string, "/relay/events", {
                $post: {
                    input: {};
                    output: null;
                    outputFormat: "body";
                    status: 204;
                };
            }>;
        };
    } & {
        user: {
            ":id": {
                avatar: import("./requests.js").ClientRequest<string, "/user/:id/avatar", {
                    $get: {
                        input: {
                            param: {
                                id: string;
                            };
                        };
                        output: string;
                        outputFormat: "body";
                        status: 200;
                    };
                }>;
            };
        };
    } & {
        user: {
            ":id": {
                export: import("./requests.js").ClientRequest<string, "/user/:id/export", {
                    $get: {
                        input: {
                            param: {
                                id: string;
                            };
                        };
                        output: ReadableStream<Uint8Array<ArrayBufferLike>>;
                        outputFormat: "body";
                        status: 200;
                    };
                }>;
            };
        };
    } & {
        investigation: {
            ":id": {
                member: {
                    ":user": import("./requests.js").ClientRequest<string, "/investigation/:id/member/:user", {
                        $get: {
                            input: {
                                param: {
                                    id: string;
                                } & {
                                    user: string;
                                };
                            };
                            output: {
                                user: string;
                                identifier: string;
                                name: string;
                                avatar: string;
                                role: "editor" | "owner" | "responder";
                                code?: string | undefined;
                                invitedAs?: string | undefined;
                                enrolment?: {
                                    identifier: string;
                                    label?: string | undefined;
                                } | undefined;
                                joinedAt: string;
                                timeZone: string;
                                customRemindersTime: string | null;
                                quietHours?: {
                                    from: string;
                                    to: string;
                                } | undefined;
                                pausedUntil?: string | null | undefined;
                                studyPausedUntil?: string | null | undefined;
                                devices: {
                                    identifier: string;
                                    platform: string;
                                    timeZone: string;
                                    enabled: boolean;
                                    createdAt: string;
                                    lastSeenAt: string;
                                }[];
                            };
                            outputFormat: "json";
                            status: import("./requests.js").ContentfulStatusCode;
                        };
                    }>;
                };
            };
        };
    } & {
        survey: {
            ":id": {
                download: import("./requests.js").ClientRequest<string, "/survey/:id/download", {
                    $post: {
                        input: {
                            param: {
                                id: string;
                            };
                        };
                        output: {
                            uri: string;
                            identifier: string;
                            investigation: string;
                            name: string;
                            items: {
                                identifier: string;
                                label: string;
                                answer?: {
                                    kind: "number";
                                    required?: boolean | undefined;
                                    min?: number | undefined;
                                    max?: number | undefined;
                                } | {
                                    kind: "scale";
                                    required?: boolean | undefined;
                                    min: number;
                                    max: number;
                                    options?: {
                                        value: string;
                                        label: string;
                                    }[] | undefined;
                                } | {
                                    kind: "text";
                                    required?: boolean | undefined;
                                } | {
                                    kind: "choice";
                                    required?: boolean | undefined;
                                    options: {
                                        value: string;
                                        label: string;
                                    }[];
                                } | {
                                    kind: "choices";
                                    required?: boolean | undefined;
                                    options: {
                                        value: string;
                                        label: string;
                                    }[];
                                } | {
                                    kind: "yes-no";
                                    required?: boolean | undefined;
                                } | {
                                    kind: "time";
                                    required?: boolean | undefined;
                                } | {
                                    kind: "date";
                                    required?: boolean | undefined;
                                } | undefined;
                            }[];
                            reminders: {
                                type: "fixed" | "rolling" | "triggered";
                                recurrence: string | null;
                                clock?: "participant" | "study" | undefined;
                                trigger?: {
                                    survey: string;
                                    where?: {
                                        [x: string]: string[];
                                    } | undefined;
                                    after: number;
                                    at?: string | undefined;
                                    each: boolean;
                                } | undefined;
                                ends: number | null;
                                delay: number | null;
                                unlessAnswered: boolean;
                                expiresAfter: number;
                                windows?: {
                                    from: string;
                                    to: string;
                                    count: number;
                                }[] | undefined;
                                minGap?: number | undefined;
                                notification: {
                                    subject: string;
                                    body: string;
                                };
                                translations?: {
                                    [x: string]: {
                                        subject: string;
                                        body: string;
                                    };
                                } | undefined;
                                answerWithin?: number | undefined;
                                lateAnswers?: "accept" | "refuse" | undefined;
                                followUps?: {
                                    every: number;
                                    max: number;
                                    stop: "answered" | "opened";
                                } | null | undefined;
                            } | null;
                            archivedAt?: string | undefined;
                            downloadedAt: string;
                        };
                        outputFormat: "json";
                        status: import("./requests.js").ContentfulStatusCode;
                    };
                }>;
            };
        };
    } & {
        investigation: {
            ":id": {
                responses: import("./requests.js").ClientRequest<string, "/investigation/:id/responses", {
                    $get: {
                        input: {
                            query?: {
                                limit?: string | undefined;
                                cursor?: string | undefined;
                                status?: "active" | "all" | "archived" | "deleted" | undefined;
                                locked?: "false" | "true" | undefined;
                                since?: string | undefined;
                                include?: "lock" | undefined;
                                case?: string | undefined;
                                survey?: string | undefined;
                                responder?: string | undefined;
                                code?: string | undefined;
                            };
                        } & {
                            param: {
                                id: string;
                            };
                        };
                        output: {
                            investigation: string;
                        } & Record<"responses", {
                            lockedAt?: string | undefined;
                            lockSignature?: {
                                name: string;
                                meaning: string;
                                at: string;
                            } | undefined;
                            lock?: {
                                activity: string;
                                actor: string;
                                actorName: string;
                                code?: string | undefined;
                                reason?: string | undefined;
                            } | undefined;
                            status?: "active" | "archived" | "deleted" | undefined;
                            givenAt?: string | undefined;
                            receivedAt?: string | undefined;
                            notification?: string | null | undefined;
                            late?: boolean | undefined;
                            uri: string;
                            identifier: string;
                            b64Identifier: string;
                            creation: string;
                            case: string;
                            responder: string;
                            name: string;
                            code?: string | undefined;
                            avatar: string;
                            items: Record<string, string>;
                            reasons: Record<string, number>;
                            survey: string;
                            revisionUNIX: number;
                            revisionIdentifier: string;
                        }[]> & {
                            next?: string;
                        };
                        outputFormat: "json";
                        status: 200;
                    };
                }>;
            };
        };
    } & {
        investigation: {
            ":id": {
                "lock-matching": import("./requests.js").ClientRequest<string, "/investigation/:id/lock-matching", {
                    $post: {
                        input: {
                            json: {
                                status: "locked" | "unlocked";
                                filter: {
                                    kinds?: ("cases" | "responses")[] | undefined;
                                    case?: string | undefined;
                                    survey?: string | undefined;
                                    responder?: string | undefined;
                                    before?: string | undefined;
                                };
                                reason?: string | undefined;
                                signature?: {
                                    meaning: string;
                                } | undefined;
                                dryRun?: boolean | undefined;
                            };
                        } & {
                            param: {
                                id: string;
                            };
                        };
                        output: {
                            cases: number;
                            responses: number;
                        } | {
                            cases: number;
                            responses: number;
                            activity: string;
                        };
                        outputFormat: "json";
                        status: import("./requests.js").ContentfulStatusCode;
                    };
                }>;
            };
        };
    } & {
        investigation: {
            ":id": {
                freeze: import("./requests.js").ClientRequest<string, "/investigation/:id/freeze", {
                    $post: {
                        input: {
                            json: {
                                status: "active" | "frozen";
                                reason: string;
                                signature?: {
                                    meaning: string;
                                } | undefined;
                            };
                        } & {
                            param: {
                                id: string;
                            };
                        };
                        output: null;
                        outputFormat: "body";
                        status: 204;
                    };
                }>;
            };
        };
    } & {
        investigation: {
            ":id": {
                compliance: {
                    attention: import("./requests.js").ClientRequest<string, "/investigation/:id/compliance/attention", {
                        $get: {
                            input: {
                                param: {
                                    id: string;
                                };
                            };
                            output: {
                                investigation: string;
                                attention: {
                                    reason: "never-downloaded" | "paused" | "silent" | "unreachable";
                                    count: number;
                                    more: boolean;
                                    first: {
                                        user: string;
                                        name: string;
                                        code?: string | undefined;
                                        invitedAs?: string | undefined;
                                    }[];
                                }[];
                            };
                            outputFormat: "json";
                            status: import("./requests.js").ContentfulStatusCode;
                        };
                    }>;
                };
            };
        };
    } & {
        investigation: {
            ":id": {
                activity: import("./requests.js").ClientRequest<string, "/investigation/:id/activity", {
                    $get: {
                        input: {
                            query?: {
                                limit?: string | undefined;
                                cursor?: string | undefined;
                                action?: "items.archived" | "items.deleted" | "items.locked" | "items.restored" | "items.unlocked" | "member.added" | "member.code-changed" | "member.relinked" | "member.removed" | "member.role-changed" | "study.changed" | "study.deleted" | "study.frozen" | "study.restored" | "study.unfrozen" | "survey.changed" | "survey.reminders-changed" | "webhook.added" | "webhook.changed" | "webhook.removed" | "webhook.replayed" | "webhook.rotated" | undefined;
                                item?: string | undefined;
                                code?: string | undefined;
                            };
                        } & {
                            param: {
                                id: string;
                            };
                        };
                        output: {
                            investigation: string;
                            activities: {
                                identifier: string;
                                investigation: string;
                                position: number;
                                at: string;
                                actor: string;
                                actorName: string;
                                action: "items.archived" | "items.deleted" | "items.locked" | "items.restored" | "items.unlocked" | "member.added" | "member.code-changed" | "member.relinked" | "member.removed" | "member.role-changed" | "study.changed" | "study.deleted" | "study.frozen" | "study.restored" | "study.unfrozen" | "survey.changed" | "survey.reminders-changed" | "webhook.added" | "webhook.changed" | "webhook.removed" | "webhook.replayed" | "webhook.rotated";
                                cases: string[];
                                responses: string[];
                                reason?: string | undefined;
                                details?: {
                                    [x: string]: import("./requests.js").JSONValue;
                                } | undefined;
                                signature?: {
                                    name: string;
                                    meaning: string;
                                    at: string;
                                } | undefined;
                                hash: string;
                            }[];
                            codes?: {
                                [x: string]: string;
                            } | undefined;
                            next?: string | undefined;
                        };
                        outputFormat: "json";
                        status: import("./requests.js").ContentfulStatusCode;
                    };
                }>;
            };
        };
    } & {
        investigation: {
            ":id": {
                activity: {
                    verify: import("./requests.js").ClientRequest<string, "/investigation/:id/activity/verify", {
                        $get: {
                            input: {
                                query?: {
                                    cursor?: string | undefined;
                                };
                            } & {
                                param: {
                                    id: string;
                                };
                            };
                            output: {
                                valid: true;
                                entries: number;
                                head: string;
                                next?: string | undefined;
                            } | {
                                valid: false;
                                entries: number;
                                brokenAt: number;
                            };
                            outputFormat: "json";
                            status: import("./requests.js").ContentfulStatusCode;
                        };
                    }>;
                };
            };
        };
    } & {
        investigation: {
            ":id": {
                activity: {
                    head: import("./requests.js").ClientRequest<string, "/investigation/:id/activity/head", {
                        $get: {
                            input: {
                                param: {
                                    id: string;
                                };
                            };
                            output: {
                                investigation: string;
                                position: number;
                                hash: string;
                                at: string;
                                jws: string;
                            };
                            outputFormat: "json";
                            status: import("./requests.js").ContentfulStatusCode;
                        };
                    }>;
                };
            };
        };
    } & {
        user: {
            ":id": {
                agenda: import("./requests.js").ClientRequest<string, "/user/:id/agenda", {
                    $get: {
                        input: {
                            query?: {
                                count?: string | undefined;
                                device?: string | undefined;
                            };
                        } & {
                            param: {
                                id: string;
                            };
                        };
                        output: {
                            user: string;
                            occurrences: {
                                notification: string;
                                survey: string;
                                investigation: string;
                                on: string;
                                slot?: number | undefined;
                                response?: string | undefined;
                                dueAt: string;
                                expiresAt: string;
                                subject: string;
                                body: string;
                                language?: string | undefined;
                            }[];
                            more?: true | undefined;
                        };
                        outputFormat: "json";
                        status: import("./requests.js").ContentfulStatusCode;
                    };
                }>;
            };
        };
    } & {
        p: {
            index: import("./requests.js").ClientRequest<string, "/p/", {
                $get: {
                    input: {};
                    output: {};
                    outputFormat: string;
                    status: import("./requests.js").StatusCode;
                };
            }>;
        };
    } & {
        user: {
            me: {
                token: import("./requests.js").ClientRequest<string, "/user/me/token", {
                    $post: {
                        input: {};
                        output: {
                            token: string;
                            expiresAt: string;
                        };
                        outputFormat: "json";
                        status: import("./requests.js").ContentfulStatusCode;
                    };
                }>;
            };
        };
    } & {
        user: {
            me: {
                tokens: import("./requests.js").ClientRequest<string, "/user/me/tokens", {
                    $delete: {
                        input: {};
                        output: null;
                        outputFormat: "body";
                        status: 204;
                    };
                }>;
            };
        };
    } & {
        user: {
            ":id": {
                pause: import("./requests.js").ClientRequest<string, "/user/:id/pause", {
                    $delete: {
                        input: {
                            query?: {
                                investigation?: string | undefined;
                            };
                        } & {
                            param: {
                                id: string;
                            };
                        };
                        output: null;
                        outputFormat: "body";
                        status: 204;
                    };
                    $put: {
                        input: {
                            json: {
                                investigation?: string | undefined;
                                until: string | null;
                            };
                        } & {
                            param: {
                                id: string;
                            };
                        };
                        output: {
                            uri: string;
                            identifier: string;
                            name: string;
                            avatar: string;
                            timeZone: string | null;
                            customRemindersTime: string | null;
                            quietHours?: {
                                from: string;
                                to: string;
                            } | undefined;
                            language?: string | undefined;
                            devices: string[];
                            pausedUntil?: string | null | undefined;
                            pausedStudies?: {
                                investigation: string;
                                until: string | null;
                            }[] | undefined;
                        };
                        outputFormat: "json";
                        status: 200;
                    };
                }>;
            };
        };
    } & {
        investigation: {
            ":id": {
                compliance: import("./requests.js").ClientRequest<string, "/investigation/:id/compliance", {
                    $get: {
                        input: {
                            query?: {
                                from?: string | undefined;
                                to?: string | undefined;
                                survey?: string | undefined;
                                user?: string | undefined;
                                code?: string | undefined;
                                attention?: "never-downloaded" | "paused" | "silent" | "unreachable" | undefined;
                                limit?: string | undefined;
                                cursor?: string | undefined;
                            };
                        } & {
                            param: {
                                id: string;
                            };
                        };
                        output: {
                            totals: {
                                due: number;
                                sent: number;
                                failed: number;
                                skipped: Record<string, number>;
                                shown: number;
                                opened: number;
                                answered: number;
                                answeredLate: number;
                            };
                            investigation: string;
                            from: string;
                            to: string;
                        } & Record<"participants", {
                            due: number;
                            sent: number;
                            failed: number;
                            skipped: Record<string, number>;
                            shown: number;
                            opened: number;
                            answered: number;
                            answeredLate: number;
                            user: string;
                            code?: string | undefined;
                            name: string;
                            invitedAs?: string | undefined;
                            lastAnsweredAt: string | null;
                            lastSeenAt: string | null;
                            reachable: boolean;
                            pausedUntil?: string | null | undefined;
                            attention: ("never-downloaded" | "paused" | "silent" | "unreachable")[];
                        }[]> & {
                            next?: string;
                        };
                        outputFormat: "json";
                        status: 200;
                    };
                }>;
            };
        };
    } & {
        investigation: {
            ":id": {
                compliance: {
                    daily: import("./requests.js").ClientRequest<string, "/investigation/:id/compliance/daily", {
                        $get: {
                            input: {
                                query?: {
                                    from?: string | undefined;
                                    to?: string | undefined;
                                    survey?: string | undefined;
                                };
                            } & {
                                param: {
                                    id: string;
                                };
                            };
                            output: {
                                investigation: string;
                                from: string;
                                to: string;
                                days: {
                                    due: number;
                                    sent: number;
                                    failed: number;
                                    skipped: {
                                        [x: string]: number;
                                    };
                                    shown: number;
                                    opened: number;
                                    answered: number;
                                    answeredLate: number;
                                    date: string;
                                }[];
                            };
                            outputFormat: "json";
                            status: import("./requests.js").ContentfulStatusCode;
                        };
                    }>;
                };
            };
        };
    } & {
        investigation: {
            ":id": {
                "archive-items": import("./requests.js").ClientRequest<string, "/investigation/:id/archive-items", {
                    $post: {
                        input: {
                            json: {
                                cases?: {
                                    identifier: string;
                                }[] | undefined;
                                responses?: {
                                    identifier: string;
                                }[] | undefined;
                                status: "active" | "archived";
                                reason?: string | undefined;
                            };
                        } & {
                            param: {
                                id: string;
                            };
                        };
                        output: null;
                        outputFormat: "body";
                        status: 204;
                    };
                }>;
            };
        };
    } & {
        investigation: {
            ":id": {
                "delete-items": import("./requests.js").ClientRequest<string, "/investigation/:id/delete-items", {
                    $post: {
                        input: {
                            json: {
                                cases?: {
                                    identifier: string;
                                }[] | undefined;
                                responses?: {
                                    identifier: string;
                                }[] | undefined;
                                status: "active" | "deleted";
                                reason?: string | undefined;
                            };
                        } & {
                            param: {
                                id: string;
                            };
                        };
                        output: null;
                        outputFormat: "body";
                        status: 204;
                    };
                }>;
            };
        };
    } & {
        investigation: {
            ":id": {
                "lock-items": import("./requests.js").ClientRequest<string, "/investigation/:id/lock-items", {
                    $post: {
                        input: {
                            json: {
                                cases?: {
                                    identifier: string;
                                }[] | undefined;
                                responses?: {
                                    identifier: string;
                                }[] | undefined;
                                status: "locked" | "unlocked";
                                reason?: string | undefined;
                                signature?: {
                                    meaning: string;
                                } | undefined;
                            };
                        } & {
                            param: {
                                id: string;
                            };
                        };
                        output: null;
                        outputFormat: "body";
                        status: 204;
                    };
                }>;
            };
        };
    } & {
        console: {
            config: import("./requests.js").ClientRequest<string, "/console/config", {
                $get: {
                    input: {};
                    output: {
                        issuer: string;
                        audience: string;
                        clientId: string | null;
                        scope: string;
                        origins: string[];
                        local: boolean;
                    };
                    outputFormat: "json";
                    status: import("./requests.js").ContentfulStatusCode;
                };
            }>;
        };
    } & {
        user: {
            ":id": import("./requests.js").ClientRequest<string, "/user/:id", {
                $delete: {
                    input: {
                        param: {
                            id: string;
                        };
                    };
                    output: null;
                    outputFormat: "body";
                    status: 204;
                };
                $get: {
                    input: {
                        param: {
                            id: string;
                        };
                    };
                    output: {
                        uri: string;
                        identifier: string;
                        name: string;
                        avatar: string;
                    };
                    outputFormat: "json";
                    status: import("./requests.js").ContentfulStatusCode;
                };
                $patch: {
                    input: {
                        json: {
                            name?: string | undefined;
                            timeZone?: string | null | undefined;
                            customRemindersTime?: string | null | undefined;
                            quietHours?: {
                                from: string;
                                to: string;
                            } | null | undefined;
                            language?: string | null | undefined;
                        };
                    } & {
                        param: {
                            id: string;
                        };
                    };
                    output: {
                        uri: string;
                        identifier: string;
                        name: string;
                        avatar: string;
                        timeZone: string | null;
                        customRemindersTime: string | null;
                        quietHours?: {
                            from: string;
                            to: string;
                        } | undefined;
                        language?: string | undefined;
                        devices: string[];
                        pausedUntil?: string | null | undefined;
                        pausedStudies?: {
                            investigation: string;
                            until: string | null;
                        }[] | undefined;
                    };
                    outputFormat: "json";
                    status: 200;
                };
            }>;
        };
    } & {
        health: {
            ready: import("./requests.js").ClientRequest<string, "/health/ready", {
                $get: {
                    input: {};
                    output: {
                        status: "late" | "ready";
                        causes: ("clock" | "database" | "dead-letters" | "outbox" | "overdue" | "relay" | "sweep")[];
                        lastSweepAgeSeconds: number | null;
                        oldestOverdueAgeSeconds: number | null;
                        hint?: string | undefined;
                    };
                    outputFormat: "json";
                    status: 200 | 503;
                };
            }>;
        };
    } & {
        user: {
            ":id": {
                invitations: import("./requests.js").ClientRequest<string, "/user/:id/invitations", {
                    $get: {
                        input: {
                            query?: {
                                limit?: string | undefined;
                                cursor?: string | undefined;
                            };
                        } & {
                            param: {
                                id: string;
                            };
                        };
                        output: {
                            user: string;
                            invitations: {
                                investigation: string;
                                identifier: string;
                                name: string;
                                role: "editor" | "owner" | "responder";
                                invitedBy: {
                                    user: string;
                                    identifier: string;
                                    name: string;
                                    avatar: string;
                                };
                                at: string;
                                expiresAt: string;
                            }[];
                            next?: string | undefined;
                        };
                        outputFormat: "json";
                        status: import("./requests.js").ContentfulStatusCode;
                    };
                }>;
            };
        };
    } & {
        user: {
            ":id": {
                invitations: {
                    ":investigation": {
                        accept: import("./requests.js").ClientRequest<string, "/user/:id/invitations/:investigation/accept", {
                            $post: {
                                input: {
                                    param: {
                                        id: string;
                                    } & {
                                        investigation: string;
                                    };
                                };
                                output: {
                                    investigation: string;
                                    user: string;
                                    role: "editor" | "owner" | "responder";
                                };
                                outputFormat: "json";
                                status: import("./requests.js").ContentfulStatusCode;
                            };
                        }>;
                    };
                };
            };
        };
    } & {
        user: {
            ":id": {
                invitations: {
                    ":investigation": {
                        decline: import("./requests.js").ClientRequest<string, "/user/:id/invitations/:investigation/decline", {
                            $post: {
                                input: {
                                    param: {
                                        id: string;
                                    } & {
                                        investigation: string;
                                    };
                                };
                                output: null;
                                outputFormat: "body";
                                status: 204;
                            };
                        }>;
                    };
                };
            };
        };
    } & {
        response: {
            ":id": import("./requests.js").ClientRequest<string, "/response/:id", {
                $get: {
                    input: {
                        query?: {
                            include?: "lock" | undefined;
                        };
                    } & {
                        param: {
                            id: string;
                        };
                    };
                    output: {
                        lockedAt?: string | undefined;
                        lockSignature?: {
                            name: string;
                            meaning: string;
                            at: string;
                        } | undefined;
                        lock?: {
                            activity: string;
                            actor: string;
                            actorName: string;
                            code?: string | undefined;
                            reason?: string | undefined;
                        } | undefined;
                        status?: "active" | "archived" | "deleted" | undefined;
                        givenAt?: string | undefined;
                        receivedAt?: string | undefined;
                        notification?: string | null | undefined;
                        late?: boolean | undefined;
                        uri: string;
                        survey: string;
                        responder: string;
                        case: string;
                        items: {
                            [x: string]: string;
                        };
                        reasons: {
                            [x: string]: number;
                        };
                        revisionDate: number;
                    };
                    outputFormat: "json";
                    status: 200;
                };
                $patch: {
                    input: {
                        json: {
                            items?: Record<string, string | null> | undefined;
                            reasons?: Record<string, number | null> | undefined;
                            reason?: string | undefined;
                        };
                    } & {
                        param: {
                            id: string;
                        };
                    };
                    output: {
                        lockedAt?: string | undefined;
                        lockSignature?: {
                            name: string;
                            meaning: string;
                            at: string;
                        } | undefined;
                        lock?: {
                            activity: string;
                            actor: string;
                            actorName: string;
                            code?: string | undefined;
                            reason?: string | undefined;
                        } | undefined;
                        status?: "active" | "archived" | "deleted" | undefined;
                        givenAt?: string | undefined;
                        receivedAt?: string | undefined;
                        notification?: string | null | undefined;
                        late?: boolean | undefined;
                        uri: string;
                        survey: string;
                        responder: string;
                        case: string;
                        items: {
                            [x: string]: string;
                        };
                        reasons: {
                            [x: string]: number;
                        };
                        revisionDate: number;
                    };
                    outputFormat: "json";
                    status: 200;
                };
            }>;
        };
    } & {
        survey: {
            ":id": {
                response: import("./requests.js").ClientRequest<string, "/survey/:id/response", {
                    $post: {
                        input: {
                            json: {
                                case: string;
                                items: Record<string, string>;
                                reasons?: Record<string, number> | undefined;
                                identifier?: string | undefined;
                                at?: string | undefined;
                                notification?: string | undefined;
                            };
                        } & {
                            param: {
                                id: string;
                            };
                        };
                        output: {
                            lockedAt?: string | undefined;
                            lockSignature?: {
                                name: string;
                                meaning: string;
                                at: string;
                            } | undefined;
                            lock?: {
                                activity: string;
                                actor: string;
                                actorName: string;
                                code?: string | undefined;
                                reason?: string | undefined;
                            } | undefined;
                            status?: "active" | "archived" | "deleted" | undefined;
                            givenAt?: string | undefined;
                            receivedAt?: string | undefined;
                            notification?: string | null | undefined;
                            late?: boolean | undefined;
                            uri: string;
                            survey: string;
                            responder: string;
                            case: string;
                            items: {
                                [x: string]: string;
                            };
                            reasons: {
                                [x: string]: number;
                            };
                            revisionDate: number;
                        };
                        outputFormat: "json";
                        status: 200 | 201;
                    };
                }>;
            };
        };
    } & {
        investigation: {
            ":id": {
                notifications: import("./requests.js").ClientRequest<string, "/investigation/:id/notifications", {
                    $get: {
                        input: {
                            query?: {
                                limit?: string | undefined;
                                cursor?: string | undefined;
                                user?: string | undefined;
                                code?: string | undefined;
                            };
                        } & {
                            param: {
                                id: string;
                            };
                        };
                        output: {
                            investigation: string;
                            code?: string | undefined;
                            notifications: {
                                identifier: string;
                                user: string;
                                survey: string;
                                on: string;
                                slot?: number | undefined;
                                response?: string | undefined;
                                dueAt: string;
                                sentAt: string | null;
                                counter: number;
                                state: "failed" | "invalidated" | "scheduled" | "sent" | "skipped";
                                reason?: string | undefined;
                                note?: string | undefined;
                                timeZone: string;
                                deliveries: {
                                    device: string;
                                    platform: string;
                                    at: string;
                                    messageId?: string | undefined;
                                    error?: string | undefined;
                                    language?: string | undefined;
                                }[];
                                followUps?: {
                                    kind: "nudge" | "snooze";
                                    dueAt: string;
                                    at: string;
                                    state: "failed" | "retrying" | "sent" | "skipped";
                                    reason?: string | undefined;
                                    attempts?: number | undefined;
                                    deliveries?: {
                                        device: string;
                                        platform: string;
                                        at: string;
                                        messageId?: string | undefined;
                                        error?: string | undefined;
                                        language?: string | undefined;
                                    }[] | undefined;
                                }[] | undefined;
                                nextAt?: string | undefined;
                                nextKind?: "nudge" | "snooze" | undefined;
                                shownAt?: string | undefined;
                                openedAt?: string | undefined;
                                dismissedAt?: string | undefined;
                                answeredAt?: string | undefined;
                                answeredLate?: true | undefined;
                                answerReceivedAt?: string | undefined;
                            }[];
                            next?: string | undefined;
                        };
                        outputFormat: "json";
                        status: import("./requests.js").ContentfulStatusCode;
                    };
                }>;
            };
        };
    } & {
        survey: {
            ":id": {
                notifications: import("./requests.js").ClientRequest<string, "/survey/:id/notifications", {
                    $get: {
                        input: {
                            query?: {
                                limit?: string | undefined;
                                cursor?: string | undefined;
                                user?: string | undefined;
                                code?: string | undefined;
                            };
                        } & {
                            param: {
                                id: string;
                            };
                        };
                        output: {
                            survey: string;
                            code?: string | undefined;
                            notifications: {
                                identifier: string;
                                user: string;
                                survey: string;
                                on: string;
                                slot?: number | undefined;
                                response?: string | undefined;
                                dueAt: string;
                                sentAt: string | null;
                                counter: number;
                                state: "failed" | "invalidated" | "scheduled" | "sent" | "skipped";
                                reason?: string | undefined;
                                note?: string | undefined;
                                timeZone: string;
                                deliveries: {
                                    device: string;
                                    platform: string;
                                    at: string;
                                    messageId?: string | undefined;
                                    error?: string | undefined;
                                    language?: string | undefined;
                                }[];
                                followUps?: {
                                    kind: "nudge" | "snooze";
                                    dueAt: string;
                                    at: string;
                                    state: "failed" | "retrying" | "sent" | "skipped";
                                    reason?: string | undefined;
                                    attempts?: number | undefined;
                                    deliveries?: {
                                        device: string;
                                        platform: string;
                                        at: string;
                                        messageId?: string | undefined;
                                        error?: string | undefined;
                                        language?: string | undefined;
                                    }[] | undefined;
                                }[] | undefined;
                                nextAt?: string | undefined;
                                nextKind?: "nudge" | "snooze" | undefined;
                                shownAt?: string | undefined;
                                openedAt?: string | undefined;
                                dismissedAt?: string | undefined;
                                answeredAt?: string | undefined;
                                answeredLate?: true | undefined;
                                answerReceivedAt?: string | undefined;
                            }[];
                            next?: string | undefined;
                        };
                        outputFormat: "json";
                        status: import("./requests.js").ContentfulStatusCode;
                    };
                }>;
            };
        };
    } & {
        user: {
            ":id": {
                notifications: import("./requests.js").ClientRequest<string, "/user/:id/notifications", {
                    $get: {
                        input: {
                            query?: {
                                limit?: string | undefined;
                                cursor?: string | undefined;
                            };
                        } & {
                            param: {
                                id: string;
                            };
                        };
                        output: {
                            user: string;
                            notifications: {
                                identifier: string;
                                user: string;
                                survey: string;
                                on: string;
                                slot?: number | undefined;
                                response?: string | undefined;
                                dueAt: string;
                                sentAt: string | null;
                                counter: number;
                                state: "failed" | "invalidated" | "scheduled" | "sent" | "skipped";
                                reason?: string | undefined;
                                note?: string | undefined;
                                timeZone: string;
                                deliveries: {
                                    device: string;
                                    platform: string;
                                    at: string;
                                    messageId?: string | undefined;
                                    error?: string | undefined;
                                    language?: string | undefined;
                                }[];
                                followUps?: {
                                    kind: "nudge" | "snooze";
                                    dueAt: string;
                                    at: string;
                                    state: "failed" | "retrying" | "sent" | "skipped";
                                    reason?: string | undefined;
                                    attempts?: number | undefined;
                                    deliveries?: {
                                        device: string;
                                        platform: string;
                                        at: string;
                                        messageId?: string | undefined;
                                        error?: string | undefined;
                                        language?: string | undefined;
                                    }[] | undefined;
                                }[] | undefined;
                                nextAt?: string | undefined;
                                nextKind?: "nudge" | "snooze" | undefined;
                                shownAt?: string | undefined;
                                openedAt?: string | undefined;
                                dismissedAt?: string | undefined;
                                answeredAt?: string | undefined;
                                answeredLate?: true | undefined;
                                answerReceivedAt?: string | undefined;
                            }[];
                            next?: string | undefined;
                        };
                        outputFormat: "json";
                        status: import("./requests.js").ContentfulStatusCode;
                    };
                }>;
            };
        };
    } & {
        case: {
            ":id": import("./requests.js").ClientRequest<string, "/case/:id", {
                $get: {
                    input: {
                        query?: {
                            include?: "lock" | undefined;
                        };
                    } & {
                        param: {
                            id: string;
                        };
                    };
                    output: {
                        lockedAt?: string | undefined;
                        lockSignature?: {
                            name: string;
                            meaning: string;
                            at: string;
                        } | undefined;
                        lock?: {
                            activity: string;
                            actor: string;
                            actorName: string;
                            code?: string | undefined;
                            reason?: string | undefined;
                        } | undefined;
                        status?: "active" | "archived" | "deleted" | undefined;
                        identifier: string;
                        uri: string;
                        creation: string;
                        label: string;
                        hidden: boolean;
                        revisionIdentifier: string;
                        editedAt: number;
                        creatorIdentifier: string;
                        creatorNames: string;
                        creatorAvatar: string;
                    };
                    outputFormat: "json";
                    status: 200;
                };
                $patch: {
                    input: {
                        json: {
                            label?: string | undefined;
                            hidden?: boolean | undefined;
                        };
                    } & {
                        param: {
                            id: string;
                        };
                    };
                    output: {
                        lockedAt?: string | undefined;
                        lockSignature?: {
                            name: string;
                            meaning: string;
                            at: string;
                        } | undefined;
                        lock?: {
                            activity: string;
                            actor: string;
                            actorName: string;
                            code?: string | undefined;
                            reason?: string | undefined;
                        } | undefined;
                        status?: "active" | "archived" | "deleted" | undefined;
                        identifier: string;
                        uri: string;
                        creation: string;
                        label: string;
                        hidden: boolean;
                        revisionIdentifier: string;
                        editedAt: number;
                        creatorIdentifier: string;
                        creatorNames: string;
                        creatorAvatar: string;
                    };
                    outputFormat: "json";
                    status: 200;
                };
            }>;
        };
    } & {
        investigation: {
            ":id": {
                case: import("./requests.js").ClientRequest<string, "/investigation/:id/case", {
                    $post: {
                        input: {
                            json: {
                                label: string;
                                hidden?: boolean | undefined;
                                identifier?: string | undefined;
                            };
                        } & {
                            param: {
                                id: string;
                            };
                        };
                        output: {
                            lockedAt?: string | undefined;
                            lockSignature?: {
                                name: string;
                                meaning: string;
                                at: string;
                            } | undefined;
                            lock?: {
                                activity: string;
                                actor: string;
                                actorName: string;
                                code?: string | undefined;
                                reason?: string | undefined;
                            } | undefined;
                            status?: "active" | "archived" | "deleted" | undefined;
                            identifier: string;
                            uri: string;
                            creation: string;
                            label: string;
                            hidden: boolean;
                            revisionIdentifier: string;
                            editedAt: number;
                            creatorIdentifier: string;
                            creatorNames: string;
                            creatorAvatar: string;
                        };
                        outputFormat: "json";
                        status: 200 | 201;
                    };
                }>;
            };
        };
    } & {
        investigation: {
            ":id": {
                cases: import("./requests.js").ClientRequest<string, "/investigation/:id/cases", {
                    $get: {
                        input: {
                            query?: {
                                limit?: string | undefined;
                                cursor?: string | undefined;
                                status?: "active" | "all" | "archived" | "deleted" | undefined;
                                locked?: "false" | "true" | undefined;
                                since?: string | undefined;
                                include?: "lock" | undefined;
                            };
                        } & {
                            param: {
                                id: string;
                            };
                        };
                        output: {
                            uri: string;
                        } & Record<"cases", {
                            lockedAt?: string | undefined;
                            lockSignature?: {
                                name: string;
                                meaning: string;
                                at: string;
                            } | undefined;
                            lock?: {
                                activity: string;
                                actor: string;
                                actorName: string;
                                code?: string | undefined;
                                reason?: string | undefined;
                            } | undefined;
                            status?: "active" | "archived" | "deleted" | undefined;
                            identifier: string;
                            uri: string;
                            creation: string;
                            label: string;
                            hidden: boolean;
                            revisionIdentifier: string;
                            editedAt: number;
                            creatorIdentifier: string;
                            creatorNames: string;
                            creatorAvatar: string;
                        }[]> & {
                            next?: string;
                        };
                        outputFormat: "json";
                        status: 200;
                    };
                }>;
            };
        };
    } & {
        investigation: {
            ":id": {
                member: import("./requests.js").ClientRequest<string, "/investigation/:id/member", {
                    $post: {
                        input: {
                            json: {
                                user?: string | undefined;
                                email?: string | undefined;
                                role: "editor" | "owner" | "responder";
                                code?: string | undefined;
                            };
                        } & {
                            param: {
                                id: string;
                            };
                        };
                        output: {
                            email: string;
                            role: "editor" | "owner" | "responder";
                            code?: string | undefined;
                        };
                        outputFormat: "json";
                        status: 200 | 201;
                    } | {
                        input: {
                            json: {
                                user?: string | undefined;
                                email?: string | undefined;
                                role: "editor" | "owner" | "responder";
                                code?: string | undefined;
                            };
                        } & {
                            param: {
                                id: string;
                            };
                        };
                        output: {
                            user: string;
                            identifier: string;
                            name: string;
                            avatar: string;
                            role: "editor" | "owner" | "responder";
                            code?: string | undefined;
                            invitedAs?: string | undefined;
                            enrolment?: {
                                identifier: string;
                                label?: string | undefined;
                            } | undefined;
                        };
                        outputFormat: "json";
                        status: 200 | 201;
                    };
                }>;
            };
        };
    } & {
        investigation: {
            ":id": {
                member: {
                    ":user": import("./requests.js").ClientRequest<string, "/investigation/:id/member/:user", {
                        $delete: {
                            input: {
                                param: {
                                    id: string;
                                } & {
                                    user: string;
                                };
                            };
                            output: null;
                            outputFormat: "body";
                            status: 204;
                        };
                        $patch: {
                            input: {
                                json: {
                                    role?: "editor" | "owner" | "responder" | undefined;
                                    code?: string | null | undefined;
                                };
                            } & {
                                param: {
                                    id: string;
                                } & {
                                    user: string;
                                };
                            };
                            output: {
                                email: string;
                                role: "editor" | "owner" | "responder";
                                code?: string | undefined;
                            };
                            outputFormat: "json";
                            status: import("./requests.js").ContentfulStatusCode;
                        } | {
                            input: {
                                json: {
                                    role?: "editor" | "owner" | "responder" | undefined;
                                    code?: string | null | undefined;
                                };
                            } & {
                                param: {
                                    id: string;
                                } & {
                                    user: string;
                                };
                            };
                            output: {
                                user: string;
                                identifier: string;
                                name: string;
                                avatar: string;
                                role: "editor" | "owner" | "responder";
                                code?: string | undefined;
                                invitedAs?: string | undefined;
                                enrolment?: {
                                    identifier: string;
                                    label?: string | undefined;
                                } | undefined;
                            };
                            outputFormat: "json";
                            status: import("./requests.js").ContentfulStatusCode;
                        };
                    }>;
                };
            };
        };
    } & {
        investigation: {
            ":id": {
                members: import("./requests.js").ClientRequest<string, "/investigation/:id/members", {
                    $get: {
                        input: {
                            query?: {
                                role?: "editor" | "owner" | "responder" | undefined;
                                code?: string | undefined;
                                limit?: string | undefined;
                                cursor?: string | undefined;
                            };
                        } & {
                            param: {
                                id: string;
                            };
                        };
                        output: {
                            investigation: string;
                            members: {
                                user: string;
                                identifier: string;
                                name: string;
                                avatar: string;
                                role: "editor" | "owner" | "responder";
                                code?: string | undefined;
                                invitedAs?: string | undefined;
                                enrolment?: {
                                    identifier: string;
                                    label?: string | undefined;
                                } | undefined;
                            }[];
                            invitations: {
                                email: string;
                                role: "editor" | "owner" | "responder";
                                code?: string | undefined;
                                invitedAt: string;
                            }[];
                            next?: string | undefined;
                        };
                        outputFormat: "json";
                        status: import("./requests.js").ContentfulStatusCode;
                    };
                }>;
            };
        };
    } & {
        investigation: {
            ":id": {
                survey: import("./requests.js").ClientRequest<string, "/investigation/:id/survey", {
                    $post: {
                        input: {
                            json: {
                                name: string;
                                items: {
                                    identifier: string;
                                    label: string;
                                    answer?: {
                                        kind: "number";
                                        required?: boolean | undefined;
                                        min?: number | undefined;
                                        max?: number | undefined;
                                    } | {
                                        kind: "scale";
                                        required?: boolean | undefined;
                                        min: number;
                                        max: number;
                                        options?: {
                                            value: string;
                                            label: string;
                                        }[] | undefined;
                                    } | {
                                        kind: "text";
                                        required?: boolean | undefined;
                                    } | {
                                        kind: "choice";
                                        required?: boolean | undefined;
                                        options: {
                                            value: string;
                                            label: string;
                                        }[];
                                    } | {
                                        kind: "choices";
                                        required?: boolean | undefined;
                                        options: {
                                            value: string;
                                            label: string;
                                        }[];
                                    } | {
                                        kind: "yes-no";
                                        required?: boolean | undefined;
                                    } | {
                                        kind: "time";
                                        required?: boolean | undefined;
                                    } | {
                                        kind: "date";
                                        required?: boolean | undefined;
                                    } | undefined;
                                }[];
                                reminders?: {
                                    type: "fixed" | "rolling" | "triggered";
                                    recurrence: string | null;
                                    clock?: "participant" | "study" | undefined;
                                    trigger?: {
                                        survey: string;
                                        where?: Record<string, string[]> | undefined;
                                        after: number;
                                        at?: string | undefined;
                                        each?: boolean | undefined;
                                    } | undefined;
                                    ends?: number | null | undefined;
                                    delay?: number | null | undefined;
                                    windows?: {
                                        from: string;
                                        to: string;
                                        count?: number | undefined;
                                    }[] | undefined;
                                    minGap?: number | undefined;
                                    unlessAnswered?: boolean | undefined;
                                    expiresAfter?: number | undefined;
                                    notification: {
                                        subject: string;
                                        body: string;
                                    };
                                    translations?: Record<string, {
                                        subject: string;
                                        body: string;
                                    }> | undefined;
                                    followUps?: {
                                        every: number;
                                        max: number;
                                        stop?: "answered" | "opened" | undefined;
                                    } | null | undefined;
                                    answerWithin?: number | undefined;
                                    lateAnswers?: "accept" | "refuse" | undefined;
                                } | null | undefined;
                                identifier?: string | undefined;
                            };
                        } & {
                            param: {
                                id: string;
                            };
                        };
                        output: {
                            uri: string;
                            identifier: string;
                            investigation: string;
                            name: string;
                            items: {
                                identifier: string;
                                label: string;
                                answer?: {
                                    kind: "number";
                                    required?: boolean | undefined;
                                    min?: number | undefined;
                                    max?: number | undefined;
                                } | {
                                    kind: "scale";
                                    required?: boolean | undefined;
                                    min: number;
                                    max: number;
                                    options?: {
                                        value: string;
                                        label: string;
                                    }[] | undefined;
                                } | {
                                    kind: "text";
                                    required?: boolean | undefined;
                                } | {
                                    kind: "choice";
                                    required?: boolean | undefined;
                                    options: {
                                        value: string;
                                        label: string;
                                    }[];
                                } | {
                                    kind: "choices";
                                    required?: boolean | undefined;
                                    options: {
                                        value: string;
                                        label: string;
                                    }[];
                                } | {
                                    kind: "yes-no";
                                    required?: boolean | undefined;
                                } | {
                                    kind: "time";
                                    required?: boolean | undefined;
                                } | {
                                    kind: "date";
                                    required?: boolean | undefined;
                                } | undefined;
                            }[];
                            reminders: {
                                type: "fixed" | "rolling" | "triggered";
                                recurrence: string | null;
                                clock?: "participant" | "study" | undefined;
                                trigger?: {
                                    survey: string;
                                    where?: {
                                        [x: string]: string[];
                                    } | undefined;
                                    after: number;
                                    at?: string | undefined;
                                    each: boolean;
                                } | undefined;
                                ends: number | null;
                                delay: number | null;
                                unlessAnswered: boolean;
                                expiresAfter: number;
                                windows?: {
                                    from: string;
                                    to: string;
                                    count: number;
                                }[] | undefined;
                                minGap?: number | undefined;
                                notification: {
                                    subject: string;
                                    body: string;
                                };
                                translations?: {
                                    [x: string]: {
                                        subject: string;
                                        body: string;
                                    };
                                } | undefined;
                                answerWithin?: number | undefined;
                                lateAnswers?: "accept" | "refuse" | undefined;
                                followUps?: {
                                    every: number;
                                    max: number;
                                    stop: "answered" | "opened";
                                } | null | undefined;
                            } | null;
                            archivedAt?: string | undefined;
                        };
                        outputFormat: "json";
                        status: 200 | 201;
                    };
                }>;
            };
        };
    } & {
        investigation: {
            ":id": {
                surveys: import("./requests.js").ClientRequest<string, "/investigation/:id/surveys", {
                    $get: {
                        input: {
                            query?: {
                                limit?: string | undefined;
                                cursor?: string | undefined;
                            };
                        } & {
                            param: {
                                id: string;
                            };
                        };
                        output: {
                            investigation: string;
                        } & Record<"surveys", {
                            uri: string;
                            identifier: string;
                            investigation: string;
                            name: string;
                            items: {
                                identifier: string;
                                label: string;
                                answer?: {
                                    kind: "number";
                                    required?: boolean | undefined;
                                    min?: number | undefined;
                                    max?: number | undefined;
                                } | {
                                    kind: "scale";
                                    required?: boolean | undefined;
                                    min: number;
                                    max: number;
                                    options?: {
                                        value: string;
                                        label: string;
                                    }[] | undefined;
                                } | {
                                    kind: "text";
                                    required?: boolean | undefined;
                                } | {
                                    kind: "choice";
                                    required?: boolean | undefined;
                                    options: {
                                        value: string;
                                        label: string;
                                    }[];
                                } | {
                                    kind: "choices";
                                    required?: boolean | undefined;
                                    options: {
                                        value: string;
                                        label: string;
                                    }[];
                                } | {
                                    kind: "yes-no";
                                    required?: boolean | undefined;
                                } | {
                                    kind: "time";
                                    required?: boolean | undefined;
                                } | {
                                    kind: "date";
                                    required?: boolean | undefined;
                                } | undefined;
                            }[];
                            reminders: {
                                type: "fixed" | "rolling" | "triggered";
                                recurrence: string | null;
                                clock?: "participant" | "study" | undefined;
                                trigger?: {
                                    survey: string;
                                    where?: Record<string, string[]> | undefined;
                                    after: number;
                                    at?: string | undefined;
                                    each: boolean;
                                } | undefined;
                                ends: number | null;
                                delay: number | null;
                                unlessAnswered: boolean;
                                expiresAfter: number;
                                windows?: {
                                    from: string;
                                    to: string;
                                    count: number;
                                }[] | undefined;
                                minGap?: number | undefined;
                                notification: {
                                    subject: string;
                                    body: string;
                                };
                                translations?: Record<string, {
                                    subject: string;
                                    body: string;
                                }> | undefined;
                                answerWithin?: number | undefined;
                                lateAnswers?: "accept" | "refuse" | undefined;
                                followUps?: {
                                    every: number;
                                    max: number;
                                    stop: "answered" | "opened";
                                } | null | undefined;
                            } | null;
                            archivedAt?: string | undefined;
                        }[]> & {
                            next?: string;
                        };
                        outputFormat: "json";
                        status: 200;
                    };
                }>;
            };
        };
    } & {
        survey: {
            ":id": import("./requests.js").ClientRequest<string, "/survey/:id", {
                $get: {
                    input: {
                        param: {
                            id: string;
                        };
                    };
                    output: {
                        uri: string;
                        identifier: string;
                        investigation: string;
                        name: string;
                        items: {
                            identifier: string;
                            label: string;
                            answer?: {
                                kind: "number";
                                required?: boolean | undefined;
                                min?: number | undefined;
                                max?: number | undefined;
                            } | {
                                kind: "scale";
                                required?: boolean | undefined;
                                min: number;
                                max: number;
                                options?: {
                                    value: string;
                                    label: string;
                                }[] | undefined;
                            } | {
                                kind: "text";
                                required?: boolean | undefined;
                            } | {
                                kind: "choice";
                                required?: boolean | undefined;
                                options: {
                                    value: string;
                                    label: string;
                                }[];
                            } | {
                                kind: "choices";
                                required?: boolean | undefined;
                                options: {
                                    value: string;
                                    label: string;
                                }[];
                            } | {
                                kind: "yes-no";
                                required?: boolean | undefined;
                            } | {
                                kind: "time";
                                required?: boolean | undefined;
                            } | {
                                kind: "date";
                                required?: boolean | undefined;
                            } | undefined;
                        }[];
                        reminders: {
                            type: "fixed" | "rolling" | "triggered";
                            recurrence: string | null;
                            clock?: "participant" | "study" | undefined;
                            trigger?: {
                                survey: string;
                                where?: {
                                    [x: string]: string[];
                                } | undefined;
                                after: number;
                                at?: string | undefined;
                                each: boolean;
                            } | undefined;
                            ends: number | null;
                            delay: number | null;
                            unlessAnswered: boolean;
                            expiresAfter: number;
                            windows?: {
                                from: string;
                                to: string;
                                count: number;
                            }[] | undefined;
                            minGap?: number | undefined;
                            notification: {
                                subject: string;
                                body: string;
                            };
                            translations?: {
                                [x: string]: {
                                    subject: string;
                                    body: string;
                                };
                            } | undefined;
                            answerWithin?: number | undefined;
                            lateAnswers?: "accept" | "refuse" | undefined;
                            followUps?: {
                                every: number;
                                max: number;
                                stop: "answered" | "opened";
                            } | null | undefined;
                        } | null;
                        archivedAt?: string | undefined;
                    };
                    outputFormat: "json";
                    status: 200;
                };
                $patch: {
                    input: {
                        json: {
                            name?: string | undefined;
                            items?: {
                                identifier: string;
                                label: string;
                                answer?: {
                                    kind: "number";
                                    required?: boolean | undefined;
                                    min?: number | undefined;
                                    max?: number | undefined;
                                } | {
                                    kind: "scale";
                                    required?: boolean | undefined;
                                    min: number;
                                    max: number;
                                    options?: {
                                        value: string;
                                        label: string;
                                    }[] | undefined;
                                } | {
                                    kind: "text";
                                    required?: boolean | undefined;
                                } | {
                                    kind: "choice";
                                    required?: boolean | undefined;
                                    options: {
                                        value: string;
                                        label: string;
                                    }[];
                                } | {
                                    kind: "choices";
                                    required?: boolean | undefined;
                                    options: {
                                        value: string;
                                        label: string;
                                    }[];
                                } | {
                                    kind: "yes-no";
                                    required?: boolean | undefined;
                                } | {
                                    kind: "time";
                                    required?: boolean | undefined;
                                } | {
                                    kind: "date";
                                    required?: boolean | undefined;
                                } | undefined;
                            }[] | undefined;
                            reminders?: {
                                type: "fixed" | "rolling" | "triggered";
                                recurrence: string | null;
                                clock?: "participant" | "study" | undefined;
                                trigger?: {
                                    survey: string;
                                    where?: Record<string, string[]> | undefined;
                                    after: number;
                                    at?: string | undefined;
                                    each?: boolean | undefined;
                                } | undefined;
                                ends?: number | null | undefined;
                                delay?: number | null | undefined;
                                windows?: {
                                    from: string;
                                    to: string;
                                    count?: number | undefined;
                                }[] | undefined;
                                minGap?: number | undefined;
                                unlessAnswered?: boolean | undefined;
                                expiresAfter?: number | undefined;
                                notification: {
                                    subject: string;
                                    body: string;
                                };
                                translations?: Record<string, {
                                    subject: string;
                                    body: string;
                                }> | undefined;
                                followUps?: {
                                    every: number;
                                    max: number;
                                    stop?: "answered" | "opened" | undefined;
                                } | null | undefined;
                                answerWithin?: number | undefined;
                                lateAnswers?: "accept" | "refuse" | undefined;
                            } | null | undefined;
                            again?: boolean | undefined;
                            status?: "active" | "archived" | undefined;
                        };
                    } & {
                        param: {
                            id: string;
                        };
                    };
                    output: {
                        uri: string;
                        identifier: string;
                        investigation: string;
                        name: string;
                        items: {
                            identifier: string;
                            label: string;
                            answer?: {
                                kind: "number";
                                required?: boolean | undefined;
                                min?: number | undefined;
                                max?: number | undefined;
                            } | {
                                kind: "scale";
                                required?: boolean | undefined;
                                min: number;
                                max: number;
                                options?: {
                                    value: string;
                                    label: string;
                                }[] | undefined;
                            } | {
                                kind: "text";
                                required?: boolean | undefined;
                            } | {
                                kind: "choice";
                                required?: boolean | undefined;
                                options: {
                                    value: string;
                                    label: string;
                                }[];
                            } | {
                                kind: "choices";
                                required?: boolean | undefined;
                                options: {
                                    value: string;
                                    label: string;
                                }[];
                            } | {
                                kind: "yes-no";
                                required?: boolean | undefined;
                            } | {
                                kind: "time";
                                required?: boolean | undefined;
                            } | {
                                kind: "date";
                                required?: boolean | undefined;
                            } | undefined;
                        }[];
                        reminders: {
                            type: "fixed" | "rolling" | "triggered";
                            recurrence: string | null;
                            clock?: "participant" | "study" | undefined;
                            trigger?: {
                                survey: string;
                                where?: {
                                    [x: string]: string[];
                                } | undefined;
                                after: number;
                                at?: string | undefined;
                                each: boolean;
                            } | undefined;
                            ends: number | null;
                            delay: number | null;
                            unlessAnswered: boolean;
                            expiresAfter: number;
                            windows?: {
                                from: string;
                                to: string;
                                count: number;
                            }[] | undefined;
                            minGap?: number | undefined;
                            notification: {
                                subject: string;
                                body: string;
                            };
                            translations?: {
                                [x: string]: {
                                    subject: string;
                                    body: string;
                                };
                            } | undefined;
                            answerWithin?: number | undefined;
                            lateAnswers?: "accept" | "refuse" | undefined;
                            followUps?: {
                                every: number;
                                max: number;
                                stop: "answered" | "opened";
                            } | null | undefined;
                        } | null;
                        archivedAt?: string | undefined;
                    };
                    outputFormat: "json";
                    status: 200;
                };
            }>;
        };
    } & {
        reminders: {
            preview: import("./requests.js").ClientRequest<string, "/reminders/preview", {
                $post: {
                    input: {
                        json: {
                            reminders: {
                                type: "fixed" | "rolling" | "triggered";
                                recurrence: string | null;
                                clock?: "participant" | "study" | undefined;
                                trigger?: {
                                    survey: string;
                                    where?: Record<string, string[]> | undefined;
                                    after: number;
                                    at?: string | undefined;
                                    each?: boolean | undefined;
                                } | undefined;
                                ends?: number | null | undefined;
                                delay?: number | null | undefined;
                                windows?: {
                                    from: string;
                                    to: string;
                                    count?: number | undefined;
                                }[] | undefined;
                                minGap?: number | undefined;
                                unlessAnswered?: boolean | undefined;
                                expiresAfter?: number | undefined;
                                notification?: {
                                    subject: string;
                                    body: string;
                                } | undefined;
                                translations?: Record<string, {
                                    subject: string;
                                    body: string;
                                }> | undefined;
                                followUps?: {
                                    every: number;
                                    max: number;
                                    stop?: "answered" | "opened" | undefined;
                                } | null | undefined;
                                answerWithin?: number | undefined;
                                lateAnswers?: "accept" | "refuse" | undefined;
                            };
                            timeZone: string;
                            studyTimeZone?: string | undefined;
                            customRemindersTime?: string | null | undefined;
                            quietHours?: {
                                from: string;
                                to: string;
                            } | null | undefined;
                            startsOn?: string | undefined;
                            downloadedOn?: string | undefined;
                            respondedAt?: string | undefined;
                            from?: string | undefined;
                            count?: number | undefined;
                        };
                    };
                    output: {
                        occurrences: {
                            on: string;
                            slot?: number | undefined;
                            response?: string | undefined;
                            counter: number;
                            dueAt: string;
                            local: string;
                            nudges?: string[] | undefined;
                            note?: string | undefined;
                        }[];
                        draw?: "example" | "user" | undefined;
                    };
                    outputFormat: "json";
                    status: import("./requests.js").ContentfulStatusCode;
                };
            }>;
        };
    } & {
        survey: {
            ":id": {
                reminders: {
                    change: import("./requests.js").ClientRequest<string, "/survey/:id/reminders/change", {
                        $post: {
                            input: {
                                json: {
                                    reminders: {
                                        type: "fixed" | "rolling" | "triggered";
                                        recurrence: string | null;
                                        clock?: "participant" | "study" | undefined;
                                        trigger?: {
                                            survey: string;
                                            where?: Record<string, string[]> | undefined;
                                            after: number;
                                            at?: string | undefined;
                                            each?: boolean | undefined;
                                        } | undefined;
                                        ends?: number | null | undefined;
                                        delay?: number | null | undefined;
                                        windows?: {
                                            from: string;
                                            to: string;
                                            count?: number | undefined;
                                        }[] | undefined;
                                        minGap?: number | undefined;
                                        unlessAnswered?: boolean | undefined;
                                        expiresAfter?: number | undefined;
                                        notification: {
                                            subject: string;
                                            body: string;
                                        };
                                        translations?: Record<string, {
                                            subject: string;
                                            body: string;
                                        }> | undefined;
                                        followUps?: {
                                            every: number;
                                            max: number;
                                            stop?: "answered" | "opened" | undefined;
                                        } | null | undefined;
                                        answerWithin?: number | undefined;
                                        lateAnswers?: "accept" | "refuse" | undefined;
                                    } | null;
                                    again?: boolean | undefined;
                                    from?: string | undefined;
                                    limit?: number | undefined;
                                    cursor?: string | undefined;
                                };
                            } & {
                                param: {
                                    id: string;
                                };
                            };
                            output: {
                                people: number;
                                unchanged: number;
                                moved: number;
                                added: number;
                                removed: number;
                                againToday: number;
                                page: {
                                    user: string;
                                    before: string[];
                                    after: string[];
                                }[];
                                next?: string | undefined;
                            };
                            outputFormat: "json";
                            status: import("./requests.js").ContentfulStatusCode;
                        };
                    }>;
                };
            };
        };
    } & {
        survey: {
            ":id": {
                reminders: {
                    reach: import("./requests.js").ClientRequest<string, "/survey/:id/reminders/reach", {
                        $get: {
                            input: {
                                param: {
                                    id: string;
                                };
                            };
                            output: {
                                counted: number;
                                participants: number;
                                downloaded: number;
                                pending: number;
                                members: number;
                            };
                            outputFormat: "json";
                            status: import("./requests.js").ContentfulStatusCode;
                        };
                    }>;
                };
            };
        };
    } & {
        survey: {
            ":id": {
                reminders: {
                    upcoming: import("./requests.js").ClientRequest<string, "/survey/:id/reminders/upcoming", {
                        $get: {
                            input: {
                                query?: {
                                    user?: string | undefined;
                                    count?: string | undefined;
                                };
                            } & {
                                param: {
                                    id: string;
                                };
                            };
                            output: {
                                occurrences: {
                                    on: string;
                                    slot?: number | undefined;
                                    response?: string | undefined;
                                    counter: number;
                                    dueAt: string;
                                    local: string;
                                    nudges?: string[] | undefined;
                                    note?: string | undefined;
                                }[];
                                draw?: "example" | "user" | undefined;
                                followUp?: {
                                    notification: string;
                                    on: string;
                                    slot?: number | undefined;
                                    response?: string | undefined;
                                    kind: "nudge" | "snooze";
                                    dueAt: string;
                                    note?: string | undefined;
                                } | undefined;
                            };
                            outputFormat: "json";
                            status: import("./requests.js").ContentfulStatusCode;
                        };
                    }>;
                };
            };
        };
    } & {
        notification: {
            ":id": import("./requests.js").ClientRequest<string, "/notification/:id", {
                $get: {
                    input: {
                        param: {
                            id: string;
                        };
                    };
                    output: {
                        identifier: string;
                        user: string;
                        survey: string;
                        on: string;
                        slot?: number | undefined;
                        response?: string | undefined;
                        dueAt: string;
                        sentAt: string | null;
                        counter: number;
                        state: "failed" | "invalidated" | "scheduled" | "sent" | "skipped";
                        reason?: string | undefined;
                        note?: string | undefined;
                        timeZone: string;
                        deliveries: {
                            device: string;
                            platform: string;
                            at: string;
                            messageId?: string | undefined;
                            error?: string | undefined;
                            language?: string | undefined;
                        }[];
                        followUps?: {
                            kind: "nudge" | "snooze";
                            dueAt: string;
                            at: string;
                            state: "failed" | "retrying" | "sent" | "skipped";
                            reason?: string | undefined;
                            attempts?: number | undefined;
                            deliveries?: {
                                device: string;
                                platform: string;
                                at: string;
                                messageId?: string | undefined;
                                error?: string | undefined;
                                language?: string | undefined;
                            }[] | undefined;
                        }[] | undefined;
                        nextAt?: string | undefined;
                        nextKind?: "nudge" | "snooze" | undefined;
                        shownAt?: string | undefined;
                        openedAt?: string | undefined;
                        dismissedAt?: string | undefined;
                        answeredAt?: string | undefined;
                        answeredLate?: true | undefined;
                        answerReceivedAt?: string | undefined;
                    };
                    outputFormat: "json";
                    status: import("./requests.js").ContentfulStatusCode;
                };
            }>;
        };
    } & {
        notification: {
            ":id": {
                receipt: import("./requests.js").ClientRequest<string, "/notification/:id/receipt", {
                    $post: {
                        input: {
                            json: {
                                event: "dismissed" | "opened" | "shown";
                                at?: string | undefined;
                            };
                        } & {
                            param: {
                                id: string;
                            };
                        };
                        output: null;
                        outputFormat: "body";
                        status: 204;
                    };
                }>;
            };
        };
    } & {
        notification: {
            ":id": {
                snooze: import("./requests.js").ClientRequest<string, "/notification/:id/snooze", {
                    $post: {
                        input: {
                            json: {
                                minutes: number;
                            };
                        } & {
                            param: {
                                id: string;
                            };
                        };
                        output: {
                            nextAt: string;
                        };
                        outputFormat: "json";
                        status: 202;
                    };
                }>;
            };
        };
    } & {
        user: {
            me: {
                receipts: import("./requests.js").ClientRequest<string, "/user/me/receipts", {
                    $post: {
                        input: {
                            json: {
                                receipts: {
                                    notification: string;
                                    event: "dismissed" | "opened" | "shown";
                                    at: string;
                                }[];
                            };
                        };
                        output: {
                            stored: number;
                            refused: {
                                pointer: string;
                                notification: string;
                                event: "dismissed" | "opened" | "shown";
                                reason: "after-now" | "before-push" | "not-pushed" | "unknown";
                                detail: string;
                            }[];
                        };
                        outputFormat: "json";
                        status: import("./requests.js").ContentfulStatusCode;
                    };
                }>;
            };
        };
    } & {
        enrolment: {
            ":id": import("./requests.js").ClientRequest<string, "/enrolment/:id", {
                $delete: {
                    input: {
                        param: {
                            id: string;
                        };
                    };
                    output: null;
                    outputFormat: "body";
                    status: 204;
                };
                $get: {
                    input: {
                        param: {
                            id: string;
                        };
                    };
                    output: {
                        uri: string;
                        identifier: string;
                        investigation: string;
                        number?: number | undefined;
                        label?: string | undefined;
                        code: string;
                        url: string;
                        uses: number;
                        used: number;
                        state: "ended" | "expired" | "open" | "used";
                        createdAt: string;
                        expiresAt?: string | undefined;
                        endedAt?: string | undefined;
                        user?: string | undefined;
                    };
                    outputFormat: "json";
                    status: import("./requests.js").ContentfulStatusCode;
                };
            }>;
        };
    } & {
        enrolment: {
            ":id": {
                qr: import("./requests.js").ClientRequest<string, "/enrolment/:id/qr", {
                    $get: {
                        input: {
                            param: {
                                id: string;
                            };
                        };
                        output: string;
                        outputFormat: "body";
                        status: 200;
                    };
                }>;
            };
        };
    } & {
        investigation: {
            ":id": {
                enrolment: import("./requests.js").ClientRequest<string, "/investigation/:id/enrolment", {
                    $post: {
                        input: {
                            json: {
                                label?: string | undefined;
                                uses?: number | undefined;
                                expiresAt?: string | undefined;
                                identifier?: string | undefined;
                            };
                        } & {
                            param: {
                                id: string;
                            };
                        };
                        output: {
                            uri: string;
                            identifier: string;
                            investigation: string;
                            number?: number | undefined;
                            label?: string | undefined;
                            code: string;
                            url: string;
                            uses: number;
                            used: number;
                            state: "ended" | "expired" | "open" | "used";
                            createdAt: string;
                            expiresAt?: string | undefined;
                            endedAt?: string | undefined;
                            user?: string | undefined;
                        };
                        outputFormat: "json";
                        status: 200 | 201;
                    };
                }>;
            };
        };
    } & {
        investigation: {
            ":id": {
                enrolments: import("./requests.js").ClientRequest<string, "/investigation/:id/enrolments", {
                    $get: {
                        input: {
                            query?: {
                                limit?: string | undefined;
                                cursor?: string | undefined;
                            };
                        } & {
                            param: {
                                id: string;
                            };
                        };
                        output: {
                            investigation: string;
                            enrolments: {
                                uri: string;
                                identifier: string;
                                investigation: string;
                                number?: number | undefined;
                                label?: string | undefined;
                                code: string;
                                url: string;
                                uses: number;
                                used: number;
                                state: "ended" | "expired" | "open" | "used";
                                createdAt: string;
                                expiresAt?: string | undefined;
                                endedAt?: string | undefined;
                                user?: string | undefined;
                            }[];
                            next?: string | undefined;
                        };
                        outputFormat: "json";
                        status: import("./requests.js").ContentfulStatusCode;
                    };
                }>;
            };
        };
    } & {
        investigation: {
            ":id": {
                member: {
                    ":user": {
                        relink: import("./requests.js").ClientRequest<string, "/investigation/:id/member/:user/relink", {
                            $post: {
                                input: {
                                    param: {
                                        id: string;
                                    } & {
                                        user: string;
                                    };
                                };
                                output: {
                                    uri: string;
                                    identifier: string;
                                    investigation: string;
                                    number?: number | undefined;
                                    label?: string | undefined;
                                    code: string;
                                    url: string;
                                    uses: number;
                                    used: number;
                                    state: "ended" | "expired" | "open" | "used";
                                    createdAt: string;
                                    expiresAt?: string | undefined;
                                    endedAt?: string | undefined;
                                    user?: string | undefined;
                                };
                                outputFormat: "json";
                                status: 201;
                            };
                        }>;
                    };
                };
            };
        };
    } & {
        device: {
            ":id": import("./requests.js").ClientRequest<string, "/device/:id", {
                $delete: {
                    input: {
                        param: {
                            id: string;
                        };
                    };
                    output: null;
                    outputFormat: "body";
                    status: 204;
                };
                $get: {
                    input: {
                        param: {
                            id: string;
                        };
                    };
                    output: {
                        uri: string;
                        identifier: string;
                        user: string;
                        platform: string;
                        timeZone: string;
                        language?: string | undefined;
                        enabled: boolean;
                        createdAt: string;
                        updatedAt: string;
                    };
                    outputFormat: "json";
                    status: import("./requests.js").ContentfulStatusCode;
                };
                $patch: {
                    input: {
                        json: {
                            timeZone?: string | undefined;
                            token?: string | undefined;
                            identifier?: string | undefined;
                            language?: string | null | undefined;
                        };
                    } & {
                        param: {
                            id: string;
                        };
                    };
                    output: {
                        uri: string;
                        identifier: string;
                        user: string;
                        platform: string;
                        timeZone: string;
                        language?: string | undefined;
                        enabled: boolean;
                        createdAt: string;
                        updatedAt: string;
                    };
                    outputFormat: "json";
                    status: import("./requests.js").ContentfulStatusCode;
                };
            }>;
        };
    } & {
        device: {
            ":id": {
                test: import("./requests.js").ClientRequest<string, "/device/:id/test", {
                    $post: {
                        input: {
                            param: {
                                id: string;
                            };
                        };
                        output: {
                            device: string;
                            messageId: string;
                        };
                        outputFormat: "json";
                        status: 202;
                    };
                }>;
            };
        };
    } & {
        user: {
            ":id": {
                device: import("./requests.js").ClientRequest<string, "/user/:id/device", {
                    $post: {
                        input: {
                            json: {
                                platform: string;
                                token: string;
                                timeZone: string;
                                identifier?: string | undefined;
                                language?: string | null | undefined;
                            };
                        } & {
                            param: {
                                id: string;
                            };
                        };
                        output: {
                            uri: string;
                            identifier: string;
                            user: string;
                            platform: string;
                            timeZone: string;
                            language?: string | undefined;
                            enabled: boolean;
                            createdAt: string;
                            updatedAt: string;
                        };
                        outputFormat: "json";
                        status: 200 | 201;
                    };
                }>;
            };
        };
    } & {
        user: {
            ":id": {
                devices: import("./requests.js").ClientRequest<string, "/user/:id/devices", {
                    $get: {
                        input: {
                            param: {
                                id: string;
                            };
                        };
                        output: {
                            user: string;
                            devices: {
                                uri: string;
                                identifier: string;
                                user: string;
                                platform: string;
                                timeZone: string;
                                language?: string | undefined;
                                enabled: boolean;
                                createdAt: string;
                                updatedAt: string;
                            }[];
                        };
                        outputFormat: "json";
                        status: import("./requests.js").ContentfulStatusCode;
                    };
                }>;
            };
        };
    } & {
        investigation: {
            ":id": import("./requests.js").ClientRequest<string, "/investigation/:id", {
                $delete: {
                    input: {
                        param: {
                            id: string;
                        };
                    };
                    output: null;
                    outputFormat: "body";
                    status: 204;
                };
                $get: {
                    input: {
                        param: {
                            id: string;
                        };
                    };
                    output: {
                        uri: string;
                        identifier: string;
                        name: string;
                        timeZone: string;
                        startsOn: string;
                        creation: string;
                        role: "editor" | "owner" | "responder";
                        status: "active" | "archived";
                        lockPolicy: {
                            unlock: "owners" | "viewers";
                            signature: boolean;
                        };
                        frozenAt?: string | undefined;
                        deletedAt?: string | undefined;
                    };
                    outputFormat: "json";
                    status: 200;
                };
                $patch: {
                    input: {
                        json: {
                            name?: string | undefined;
                            timeZone?: string | undefined;
                            startsOn?: string | undefined;
                            status?: "active" | "archived" | undefined;
                            lockPolicy?: {
                                unlock?: "owners" | "viewers" | undefined;
                                signature?: boolean | undefined;
                            } | undefined;
                            signature?: {
                                meaning: string;
                            } | undefined;
                        };
                    } & {
                        param: {
                            id: string;
                        };
                    };
                    output: {
                        uri: string;
                        identifier: string;
                        name: string;
                        timeZone: string;
                        startsOn: string;
                        creation: string;
                        role: "editor" | "owner" | "responder";
                        status: "active" | "archived";
                        lockPolicy: {
                            unlock: "owners" | "viewers";
                            signature: boolean;
                        };
                        frozenAt?: string | undefined;
                        deletedAt?: string | undefined;
                    };
                    outputFormat: "json";
                    status: 200;
                };
            }>;
        };
    } & {
        investigation: {
            ":id": {
                restore: import("./requests.js").ClientRequest<string, "/investigation/:id/restore", {
                    $post: {
                        input: {
                            param: {
                                id: string;
                            };
                        };
                        output: {
                            uri: string;
                            identifier: string;
                            name: string;
                            timeZone: string;
                            startsOn: string;
                            creation: string;
                            role: "editor" | "owner" | "responder";
                            status: "active" | "archived";
                            lockPolicy: {
                                unlock: "owners" | "viewers";
                                signature: boolean;
                            };
                            frozenAt?: string | undefined;
                            deletedAt?: string | undefined;
                        };
                        outputFormat: "json";
                        status: 200;
                    };
                }>;
            };
        };
    } & {
        investigation: {
            ":id": {
                webhook: import("./requests.js").ClientRequest<string, "/investigation/:id/webhook", {
                    $post: {
                        input: {
                            json: {
                                url: string;
                                kinds?: ("case" | "member" | "response" | "study" | "survey")[] | undefined;
                                after?: number | undefined;
                                identifier?: string | undefined;
                            };
                        } & {
                            param: {
                                id: string;
                            };
                        };
                        output: {
                            uri: string;
                            identifier: string;
                            investigation: string;
                            url: string;
                            kinds: ("case" | "member" | "response" | "study" | "survey")[];
                            state: "active" | "disabled" | "failing" | "paused";
                            position: number;
                            latest: number;
                            createdAt: string;
                            failingSince?: string | undefined;
                            nextAttemptAt?: string | undefined;
                            oldSecretUntil?: string | undefined;
                            lastDelivery?: {
                                id: string;
                                at: string;
                                status: number | null;
                                durationMs: number;
                                changes: number;
                                error?: string | undefined;
                            } | undefined;
                            secret?: string | undefined;
                        };
                        outputFormat: "json";
                        status: 200 | 201;
                    };
                }>;
            };
        };
    } & {
        investigation: {
            ":id": {
                webhooks: import("./requests.js").ClientRequest<string, "/investigation/:id/webhooks", {
                    $get: {
                        input: {
                            param: {
                                id: string;
                            };
                        };
                        output: {
                            investigation: string;
                            webhooks: {
                                uri: string;
                                identifier: string;
                                investigation: string;
                                url: string;
                                kinds: ("case" | "member" | "response" | "study" | "survey")[];
                                state: "active" | "disabled" | "failing" | "paused";
                                position: number;
                                latest: number;
                                createdAt: string;
                                failingSince?: string | undefined;
                                nextAttemptAt?: string | undefined;
                                oldSecretUntil?: string | undefined;
                                lastDelivery?: {
                                    id: string;
                                    at: string;
                                    status: number | null;
                                    durationMs: number;
                                    changes: number;
                                    error?: string | undefined;
                                } | undefined;
                                secret?: string | undefined;
                            }[];
                        };
                        outputFormat: "json";
                        status: import("./requests.js").ContentfulStatusCode;
                    };
                }>;
            };
        };
    } & {
        webhook: {
            ":id": import("./requests.js").ClientRequest<string, "/webhook/:id", {
                $delete: {
                    input: {
                        param: {
                            id: string;
                        };
                    };
                    output: null;
                    outputFormat: "body";
                    status: 204;
                };
                $get: {
                    input: {
                        param: {
                            id: string;
                        };
                    };
                    output: {
                        uri: string;
                        identifier: string;
                        investigation: string;
                        url: string;
                        kinds: ("case" | "member" | "response" | "study" | "survey")[];
                        state: "active" | "disabled" | "failing" | "paused";
                        position: number;
                        latest: number;
                        createdAt: string;
                        failingSince?: string | undefined;
                        nextAttemptAt?: string | undefined;
                        oldSecretUntil?: string | undefined;
                        lastDelivery?: {
                            id: string;
                            at: string;
                            status: number | null;
                            durationMs: number;
                            changes: number;
                            error?: string | undefined;
                        } | undefined;
                        secret?: string | undefined;
                    };
                    outputFormat: "json";
                    status: import("./requests.js").ContentfulStatusCode;
                };
                $patch: {
                    input: {
                        json: {
                            url?: string | undefined;
                            kinds?: ("case" | "member" | "response" | "study" | "survey")[] | undefined;
                            state?: "active" | "paused" | undefined;
                        };
                    } & {
                        param: {
                            id: string;
                        };
                    };
                    output: {
                        uri: string;
                        identifier: string;
                        investigation: string;
                        url: string;
                        kinds: ("case" | "member" | "response" | "study" | "survey")[];
                        state: "active" | "disabled" | "failing" | "paused";
                        position: number;
                        latest: number;
                        createdAt: string;
                        failingSince?: string | undefined;
                        nextAttemptAt?: string | undefined;
                        oldSecretUntil?: string | undefined;
                        lastDelivery?: {
                            id: string;
                            at: string;
                            status: number | null;
                            durationMs: number;
                            changes: number;
                            error?: string | undefined;
                        } | undefined;
                        secret?: string | undefined;
                    };
                    outputFormat: "json";
                    status: import("./requests.js").ContentfulStatusCode;
                };
            }>;
        };
    } & {
        webhook: {
            ":id": {
                deliveries: import("./requests.js").ClientRequest<string, "/webhook/:id/deliveries", {
                    $get: {
                        input: {
                            param: {
                                id: string;
                            };
                        };
                        output: {
                            webhook: string;
                            deliveries: {
                                id: string;
                                at: string;
                                status: number | null;
                                durationMs: number;
                                changes: number;
                                error?: string | undefined;
                            }[];
                        };
                        outputFormat: "json";
                        status: import("./requests.js").ContentfulStatusCode;
                    };
                }>;
            };
        };
    } & {
        webhook: {
            ":id": {
                replay: import("./requests.js").ClientRequest<string, "/webhook/:id/replay", {
                    $post: {
                        input: {
                            json: {
                                after: number;
                            };
                        } & {
                            param: {
                                id: string;
                            };
                        };
                        output: {
                            uri: string;
                            identifier: string;
                            investigation: string;
                            url: string;
                            kinds: ("case" | "member" | "response" | "study" | "survey")[];
                            state: "active" | "disabled" | "failing" | "paused";
                            position: number;
                            latest: number;
                            createdAt: string;
                            failingSince?: string | undefined;
                            nextAttemptAt?: string | undefined;
                            oldSecretUntil?: string | undefined;
                            lastDelivery?: {
                                id: string;
                                at: string;
                                status: number | null;
                                durationMs: number;
                                changes: number;
                                error?: string | undefined;
                            } | undefined;
                            secret?: string | undefined;
                        };
                        outputFormat: "json";
                        status: import("./requests.js").ContentfulStatusCode;
                    };
                }>;
            };
        };
    } & {
        webhook: {
            ":id": {
                rotate: import("./requests.js").ClientRequest<string, "/webhook/:id/rotate", {
                    $post: {
                        input: {
                            param: {
                                id: string;
                            };
                        };
                        output: {
                            uri: string;
                            identifier: string;
                            investigation: string;
                            url: string;
                            kinds: ("case" | "member" | "response" | "study" | "survey")[];
                            state: "active" | "disabled" | "failing" | "paused";
                            position: number;
                            latest: number;
                            createdAt: string;
                            failingSince?: string | undefined;
                            nextAttemptAt?: string | undefined;
                            oldSecretUntil?: string | undefined;
                            lastDelivery?: {
                                id: string;
                                at: string;
                                status: number | null;
                                durationMs: number;
                                changes: number;
                                error?: string | undefined;
                            } | undefined;
                            secret?: string | undefined;
                        };
                        outputFormat: "json";
                        status: import("./requests.js").ContentfulStatusCode;
                    };
                }>;
            };
        };
    } & {
        webhook: {
            ":id": {
                test: import("./requests.js").ClientRequest<string, "/webhook/:id/test", {
                    $post: {
                        input: {
                            param: {
                                id: string;
                            };
                        };
                        output: {
                            id: string;
                            at: string;
                            status: number | null;
                            durationMs: number;
                            changes: number;
                            error?: string | undefined;
                        };
                        outputFormat: "json";
                        status: import("./requests.js").ContentfulStatusCode;
                    };
                }>;
            };
        };
    } & {
        user: import("./requests.js").ClientRequest<string, "/user", {
            $post: {
                input: {
                    json: {
                        name: string;
                        timeZone?: string | null | undefined;
                        customRemindersTime?: string | null | undefined;
                        quietHours?: {
                            from: string;
                            to: string;
                        } | null | undefined;
                        language?: string | null | undefined;
                        acceptInvitations?: boolean | string[] | undefined;
                    };
                };
                output: {
                    uri: string;
                    identifier: string;
                    name: string;
                    avatar: string;
                    timeZone: string | null;
                    customRemindersTime: string | null;
                    quietHours?: {
                        from: string;
                        to: string;
                    } | undefined;
                    language?: string | undefined;
                    devices: string[];
                    pausedUntil?: string | null | undefined;
                    pausedStudies?: {
                        investigation: string;
                        until: string | null;
                    }[] | undefined;
                    invitations?: {
                        investigation: string;
                        identifier: string;
                        name: string;
                        role: "editor" | "owner" | "responder";
                        invitedBy: {
                            user: string;
                            identifier: string;
                            name: string;
                            avatar: string;
                        };
                        at: string;
                        expiresAt: string;
                    }[] | undefined;
                };
                outputFormat: "json";
                status: 200 | 201;
            };
        }>;
    } & {
        enrol: import("./requests.js").ClientRequest<string, "/enrol", {
            $post: {
                input: {
                    json: {
                        code: string;
                        secret?: string | undefined;
                        name?: string | undefined;
                        timeZone?: string | undefined;
                        language?: string | undefined;
                    };
                };
                output: {
                    user: {
                        uri: string;
                        identifier: string;
                        name: string;
                        avatar: string;
                        timeZone: string | null;
                        customRemindersTime: string | null;
                        quietHours?: {
                            from: string;
                            to: string;
                        } | undefined;
                        language?: string | undefined;
                        devices: string[];
                        pausedUntil?: string | null | undefined;
                        pausedStudies?: {
                            investigation: string;
                            until: string | null;
                        }[] | undefined;
                    };
                    token: string;
                    expiresAt: string;
                    investigation: {
                        identifier: string;
                        name: string;
                    };
                };
                outputFormat: "json";
                status: 200 | 201;
            };
        }>;
    } & {
        docs: import("./requests.js").ClientRequest<string, "/docs", {
            $get: {
                input: {};
                output: undefined;
                outputFormat: "redirect";
                status: 307;
            };
        }>;
    } & {
        "openapi.json": import("./requests.js").ClientRequest<string, "/openapi.json", {
            $get: {
                input: {};
                output: string;
                outputFormat: "body";
                status: 200;
            };
        }>;
    } & {
        p: import("./requests.js").ClientRequest<string, "/p", {
            $get: {
                input: {};
                output: undefined;
                outputFormat: "redirect";
                status: 307;
            };
        }>;
    } & {
        index: import("./requests.js").ClientRequest<string, "/", {
            $get: {
                input: {};
                output: undefined;
                outputFormat: "redirect";
                status: 307;
            };
        }>;
    } & {
        console: import("./requests.js").ClientRequest<string, "/console", {
            $get: {
                input: {};
                output: {};
                outputFormat: string;
                status: import("./requests.js").StatusCode;
            };
        }>;
    } & {
        health: import("./requests.js").ClientRequest<string, "/health", {
            $get: {
                input: {};
                output: {
                    status: "ok";
                    zones: string;
                };
                outputFormat: "json";
                status: import("./requests.js").ContentfulStatusCode;
            };
        }>;
    } & {
        metrics: import("./requests.js").ClientRequest<string, "/metrics", {
            $get: {
                input: {};
                output: string;
                outputFormat: "text";
                status: 200;
            };
        }>;
    } & {
        investigation: import("./requests.js").ClientRequest<string, "/investigation", {
            $get: {
                input: {
                    query?: {
                        status?: "deleted" | undefined;
                        limit?: string | undefined;
                        cursor?: string | undefined;
                    };
                };
                output: {
                    investigations: {
                        uri: string;
                        identifier: string;
                        name: string;
                        timeZone: string;
                        startsOn: string;
                        creation: string;
                        role: "editor" | "owner" | "responder";
                        status: "active" | "archived";
                        lockPolicy: {
                            unlock: "owners" | "viewers";
                            signature: boolean;
                        };
                        frozenAt?: string | undefined;
                        deletedAt?: string | undefined;
                    }[];
                    next?: string | undefined;
                };
                outputFormat: "json";
                status: import("./requests.js").ContentfulStatusCode;
            };
            $post: {
                input: {
                    json: {
                        name: string;
                        timeZone?: string | undefined;
                        startsOn?: string | undefined;
                        identifier?: string | undefined;
                    };
                };
                output: {
                    uri: string;
                    identifier: string;
                    name: string;
                    timeZone: string;
                    startsOn: string;
                    creation: string;
                    role: "editor" | "owner" | "responder";
                    status: "active" | "archived";
                    lockPolicy: {
                        unlock: "owners" | "viewers";
                        signature: boolean;
                    };
                    frozenAt?: string | undefined;
                    deletedAt?: string | undefined;
                };
                outputFormat: "json";
                status: 200 | 201;
            };
        }>;
    };
    /** For requests that `api` does not type, such as CSV: with the same token, retries, bookmark and errors. */
    fetch: (path: string, init?: RequestInit) => Promise<Response>;
    cases(study: string, filter?: Query): AsyncGenerator<{
        lockedAt?: string | undefined;
        lockSignature?: {
            name: string;
            meaning: string;
            at: string;
        } | undefined;
        lock?: {
            activity: string;
            actor: string;
            actorName: string;
            code?: string | undefined;
            reason?: string | undefined;
        } | undefined;
        status?: "active" | "archived" | "deleted" | undefined;
        identifier: string;
        uri: string;
        creation: string;
        label: string;
        hidden: boolean;
        revisionIdentifier: string;
        editedAt: number;
        creatorIdentifier: string;
        creatorNames: string;
        creatorAvatar: string;
    }, void, unknown>;
    responses(study: string, filter?: Query): AsyncGenerator<{
        lockedAt?: string | undefined;
        lockSignature?: {
            name: string;
            meaning: string;
            at: string;
        } | undefined;
        lock?: {
            activity: string;
            actor: string;
            actorName: string;
            code?: string | undefined;
            reason?: string | undefined;
        } | undefined;
        status?: "active" | "archived" | "deleted" | undefined;
        givenAt?: string | undefined;
        receivedAt?: string | undefined;
        notification?: string | null | undefined;
        late?: boolean | undefined;
        uri: string;
        identifier: string;
        b64Identifier: string;
        creation: string;
        case: string;
        responder: string;
        name: string;
        code?: string | undefined;
        avatar: string;
        items: Record<string, string>;
        reasons: Record<string, number>;
        survey: string;
        revisionUNIX: number;
        revisionIdentifier: string;
    }, void, unknown>;
    /** Pages of what changed in a study after a sequence, until all was read. Keep the `next` of each page. */
    changes(study: string, { after, limit, ...query }?: ChangesQuery): AsyncGenerator<{
        investigation: string;
        changes: ({
            sequence: number;
            identifier: string;
            state: "active" | "archived" | "deleted" | "locked" | "removed";
            at: string;
            revision?: string | undefined;
            kind: "study";
            body?: {
                uri: string;
                identifier: string;
                name: string;
                timeZone: string;
                startsOn: string;
                creation: string;
                role: "editor" | "owner" | "responder";
                status: "active" | "archived";
                lockPolicy: {
                    unlock: "owners" | "viewers";
                    signature: boolean;
                };
                frozenAt?: string | undefined;
                deletedAt?: string | undefined;
            } | null | undefined;
        } | {
            sequence: number;
            identifier: string;
            state: "active" | "archived" | "deleted" | "locked" | "removed";
            at: string;
            revision?: string | undefined;
            kind: "case";
            body?: {
                lockedAt?: string | undefined;
                lockSignature?: {
                    name: string;
                    meaning: string;
                    at: string;
                } | undefined;
                lock?: {
                    activity: string;
                    actor: string;
                    actorName: string;
                    code?: string | undefined;
                    reason?: string | undefined;
                } | undefined;
                status?: "active" | "archived" | "deleted" | undefined;
                identifier: string;
                uri: string;
                creation: string;
                label: string;
                hidden: boolean;
                revisionIdentifier: string;
                editedAt: number;
                creatorIdentifier: string;
                creatorNames: string;
                creatorAvatar: string;
            } | null | undefined;
        } | {
            sequence: number;
            identifier: string;
            state: "active" | "archived" | "deleted" | "locked" | "removed";
            at: string;
            revision?: string | undefined;
            kind: "response";
            body?: {
                lockedAt?: string | undefined;
                lockSignature?: {
                    name: string;
                    meaning: string;
                    at: string;
                } | undefined;
                lock?: {
                    activity: string;
                    actor: string;
                    actorName: string;
                    code?: string | undefined;
                    reason?: string | undefined;
                } | undefined;
                status?: "active" | "archived" | "deleted" | undefined;
                givenAt?: string | undefined;
                receivedAt?: string | undefined;
                notification?: string | null | undefined;
                late?: boolean | undefined;
                uri: string;
                identifier: string;
                b64Identifier: string;
                creation: string;
                case: string;
                responder: string;
                name: string;
                code?: string | undefined;
                avatar: string;
                items: {
                    [x: string]: string;
                };
                reasons: {
                    [x: string]: number;
                };
                survey: string;
                revisionUNIX: number;
                revisionIdentifier: string;
            } | null | undefined;
        } | {
            sequence: number;
            identifier: string;
            state: "active" | "archived" | "deleted" | "locked" | "removed";
            at: string;
            revision?: string | undefined;
            kind: "survey";
            body?: {
                uri: string;
                identifier: string;
                investigation: string;
                name: string;
                items: {
                    identifier: string;
                    label: string;
                    answer?: {
                        kind: "number";
                        required?: boolean | undefined;
                        min?: number | undefined;
                        max?: number | undefined;
                    } | {
                        kind: "scale";
                        required?: boolean | undefined;
                        min: number;
                        max: number;
                        options?: {
                            value: string;
                            label: string;
                        }[] | undefined;
                    } | {
                        kind: "text";
                        required?: boolean | undefined;
                    } | {
                        kind: "choice";
                        required?: boolean | undefined;
                        options: {
                            value: string;
                            label: string;
                        }[];
                    } | {
                        kind: "choices";
                        required?: boolean | undefined;
                        options: {
                            value: string;
                            label: string;
                        }[];
                    } | {
                        kind: "yes-no";
                        required?: boolean | undefined;
                    } | {
                        kind: "time";
                        required?: boolean | undefined;
                    } | {
                        kind: "date";
                        required?: boolean | undefined;
                    } | undefined;
                }[];
                reminders: {
                    type: "fixed" | "rolling" | "triggered";
                    recurrence: string | null;
                    clock?: "participant" | "study" | undefined;
                    trigger?: {
                        survey: string;
                        where?: {
                            [x: string]: string[];
                        } | undefined;
                        after: number;
                        at?: string | undefined;
                        each: boolean;
                    } | undefined;
                    ends: number | null;
                    delay: number | null;
                    unlessAnswered: boolean;
                    expiresAfter: number;
                    windows?: {
                        from: string;
                        to: string;
                        count: number;
                    }[] | undefined;
                    minGap?: number | undefined;
                    notification: {
                        subject: string;
                        body: string;
                    };
                    translations?: {
                        [x: string]: {
                            subject: string;
                            body: string;
                        };
                    } | undefined;
                    answerWithin?: number | undefined;
                    lateAnswers?: "accept" | "refuse" | undefined;
                    followUps?: {
                        every: number;
                        max: number;
                        stop: "answered" | "opened";
                    } | null | undefined;
                } | null;
                archivedAt?: string | undefined;
            } | null | undefined;
        } | {
            sequence: number;
            identifier: string;
            state: "active" | "archived" | "deleted" | "locked" | "removed";
            at: string;
            revision?: string | undefined;
            kind: "member";
            body?: {
                user: string;
                identifier: string;
                name: string;
                avatar: string;
                role: "editor" | "owner" | "responder";
                code?: string | undefined;
                invitedAs?: string | undefined;
                enrolment?: {
                    identifier: string;
                    label?: string | undefined;
                } | undefined;
            } | null | undefined;
        })[];
        next: number;
        latest: number;
    }, void, unknown>;
};
/** Reads any list page by page: `ask` gets the `next` of the previous page as its cursor. */
export declare function pages<Page extends {
    next?: string | undefined;
}>(ask: (cursor?: string) => Promise<{
    json(): Promise<Page>;
}>): AsyncGenerator<Page>;
export type Client = ReturnType<typeof createClient>;
/** Every route with the types of its requests and answers. */
export type Api = Client['api'];
type Listed<List> = List extends AsyncGenerator<infer Item> ? Item : never;
export type ListedCase = Listed<ReturnType<Client['cases']>>;
export type ListedResponse = Listed<ReturnType<Client['responses']>>;
/** An identifier for a new item (a UUIDv7 without dashes), which makes its creation safe to repeat. */
export declare function newIdentifier(now?: number): string;
