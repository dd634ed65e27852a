// node_modules/hono/dist/client/utils.js
var mergePath = (base, path) => {
  base = base.replace(/\/+$/, "");
  base = base + "/";
  path = path.replace(/^\/+/, "");
  return base + path;
};
var replaceUrlParam = (urlString, params) => {
  for (const [k, v] of Object.entries(params)) {
    const reg = new RegExp("/:" + k + "(?:{[^/]+})?\\??(?=/|$)");
    urlString = urlString.replace(reg, () => v ? `/${v}` : "");
  }
  return urlString;
};
var buildSearchParams = (query) => {
  const searchParams = new URLSearchParams();
  for (const [k, v] of Object.entries(query)) {
    if (v === void 0) continue;
    if (Array.isArray(v)) for (const v2 of v) {
      if (v2 === void 0) continue;
      searchParams.append(k, v2);
    }
    else searchParams.set(k, v);
  }
  return searchParams;
};
var replaceUrlProtocol = (urlString, protocol) => {
  switch (protocol) {
    case "ws":
      return urlString.replace(/^http/, "ws");
    case "http":
      return urlString.replace(/^ws/, "http");
  }
};
var removeIndexString = (urlString) => {
  if (/^https?:\/\/[^\/]+?\/index(?=\?|$)/.test(urlString)) return urlString.replace(/\/index(?=\?|$)/, "/");
  return urlString.replace(/\/index(?=\?|$)/, "");
};
function isObject(item) {
  return typeof item === "object" && item !== null && !Array.isArray(item);
}
function deepMerge(target, source) {
  if (!isObject(target) && !isObject(source)) return source;
  const merged = { ...target };
  for (const key in source) {
    const value = source[key];
    if (isObject(merged[key]) && isObject(value)) merged[key] = deepMerge(merged[key], value);
    else merged[key] = value;
  }
  return merged;
}

// node_modules/hono/dist/utils/cookie.js
var validCookieNameRegEx = /^[\w!#$%&'*.^`|~+-]+$/;
var _serialize = (name, value, opt = {}) => {
  if (!validCookieNameRegEx.test(name)) throw new Error("Invalid cookie name");
  let cookie = `${name}=${value}`;
  if (/^__secure-/i.test(name) && !opt.secure) throw new Error("__Secure- Cookie must have Secure attributes");
  if (/^__host-/i.test(name)) {
    if (!opt.secure) throw new Error("__Host- Cookie must have Secure attributes");
    if (opt.path !== "/") throw new Error('__Host- Cookie must have Path attributes with "/"');
    if (opt.domain) throw new Error("__Host- Cookie must not have Domain attributes");
  }
  for (const key of [
    "domain",
    "path",
    "sameSite",
    "priority"
  ]) if (opt[key] && /[;\r\n]/.test(opt[key])) throw new Error(`${key} must not contain ";", "\\r", or "\\n"`);
  if (opt && typeof opt.maxAge === "number" && opt.maxAge >= 0) {
    if (opt.maxAge > 3456e4) throw new Error("Cookies Max-Age SHOULD NOT be greater than 400 days (34560000 seconds) in duration.");
    cookie += `; Max-Age=${opt.maxAge | 0}`;
  }
  if (opt.domain && opt.prefix !== "host") cookie += `; Domain=${opt.domain}`;
  if (opt.path) cookie += `; Path=${opt.path}`;
  if (opt.expires) {
    if (opt.expires.getTime() - Date.now() > 3456e7) throw new Error("Cookies Expires SHOULD NOT be greater than 400 days (34560000 seconds) in the future.");
    cookie += `; Expires=${opt.expires.toUTCString()}`;
  }
  if (opt.httpOnly) cookie += "; HttpOnly";
  if (opt.secure) cookie += "; Secure";
  if (opt.sameSite) cookie += `; SameSite=${opt.sameSite.charAt(0).toUpperCase() + opt.sameSite.slice(1)}`;
  if (opt.priority) cookie += `; Priority=${opt.priority.charAt(0).toUpperCase() + opt.priority.slice(1)}`;
  if (opt.partitioned) {
    if (!opt.secure) throw new Error("Partitioned Cookie must have Secure attributes");
    cookie += "; Partitioned";
  }
  return cookie;
};
var serialize = (name, value, opt) => {
  value = encodeURIComponent(value);
  return _serialize(name, value, opt);
};

// node_modules/hono/dist/client/client.js
var createProxy = (callback, path) => {
  return new Proxy(() => {
  }, {
    get(_obj, key) {
      if (typeof key !== "string" || key === "then") return;
      return createProxy(callback, [...path, key]);
    },
    apply(_1, _2, args) {
      return callback({
        path,
        args
      });
    }
  });
};
var appendQueryParams = (url, searchParams) => {
  const queryString = searchParams.toString();
  return queryString ? `${url}?${queryString}` : url;
};
var ClientRequestImpl = class {
  url;
  method;
  buildSearchParams;
  queryParams = void 0;
  pathParams = {};
  rBody;
  cType = void 0;
  constructor(url, method, options) {
    this.url = url;
    this.method = method;
    this.buildSearchParams = options.buildSearchParams;
  }
  fetch = async (args, opt) => {
    if (args) {
      if (args.query) this.queryParams = this.buildSearchParams(args.query);
      if (args.form) {
        const form = new FormData();
        for (const [k, v] of Object.entries(args.form)) {
          if (v === void 0) continue;
          if (Array.isArray(v)) for (const v2 of v) {
            if (v2 === void 0) continue;
            form.append(k, v2);
          }
          else form.append(k, v);
        }
        this.rBody = form;
      }
      if (args.json !== void 0) {
        this.rBody = JSON.stringify(args.json);
        this.cType = "application/json";
      }
      if (args.param) this.pathParams = args.param;
    }
    let methodUpperCase = this.method.toUpperCase();
    const headerValues = {
      ...args?.header,
      ...typeof opt?.headers === "function" ? await opt.headers() : opt?.headers
    };
    if (args?.cookie) {
      const cookies = [];
      for (const [key, value] of Object.entries(args.cookie)) {
        if (value === void 0) continue;
        cookies.push(serialize(key, value));
      }
      if (cookies.length > 0) headerValues["Cookie"] = cookies.join("; ");
    }
    if (this.cType) headerValues["Content-Type"] = this.cType;
    const headers = new Headers();
    for (const [key, value] of Object.entries(headerValues)) if (value !== void 0) headers.set(key, value);
    let url = this.url;
    url = removeIndexString(url);
    url = replaceUrlParam(url, this.pathParams);
    if (this.queryParams) url = appendQueryParams(url, this.queryParams);
    methodUpperCase = this.method.toUpperCase();
    const setBody = !(methodUpperCase === "GET" || methodUpperCase === "HEAD");
    return (opt?.fetch || fetch)(url, {
      body: setBody ? this.rBody : void 0,
      method: methodUpperCase,
      headers,
      ...opt?.init
    });
  };
};
var hc = (baseUrl, options) => createProxy(function proxyCallback(opts) {
  const buildSearchParamsOption = options?.buildSearchParams ?? buildSearchParams;
  const parts = [...opts.path];
  const lastParts = parts.slice(-3).reverse();
  if (lastParts[0] === "toString") {
    if (lastParts[1] === "name") return lastParts[2] || "";
    return proxyCallback.toString();
  }
  if (lastParts[0] === "valueOf") {
    if (lastParts[1] === "name") return lastParts[2] || "";
    return proxyCallback;
  }
  let method = "";
  if (/^\$/.test(lastParts[0])) {
    const last = parts.pop();
    if (last) method = last.replace(/^\$/, "");
  }
  const path = parts.join("/");
  const url = mergePath(baseUrl, path);
  if (method === "url" || method === "path") {
    let result = removeIndexString(url);
    if (opts.args[0]) {
      if (opts.args[0].param) result = replaceUrlParam(result, opts.args[0].param);
      if (opts.args[0].query) result = appendQueryParams(result, buildSearchParamsOption(opts.args[0].query));
    }
    if (method === "url") return new URL(result);
    return result.slice(baseUrl.replace(/\/+$/, "").length).replace(/^\/?/, "/");
  }
  if (method === "ws") {
    const normalizedUrl = removeIndexString(url);
    const webSocketUrl = replaceUrlProtocol(opts.args[0]?.param ? replaceUrlParam(normalizedUrl, opts.args[0].param) : normalizedUrl, "ws");
    const targetUrl = new URL(webSocketUrl);
    const queryParams = opts.args[0]?.query;
    if (queryParams) buildSearchParamsOption(queryParams).forEach((value, key) => {
      targetUrl.searchParams.append(key, value);
    });
    const establishWebSocket = (...args) => {
      if (options?.webSocket !== void 0 && typeof options.webSocket === "function") return options.webSocket(...args);
      return new WebSocket(...args);
    };
    return establishWebSocket(targetUrl.toString());
  }
  const req = new ClientRequestImpl(url, method, { buildSearchParams: buildSearchParamsOption });
  if (method) {
    options ??= {};
    const reqOptions = { ...opts.args[1] };
    const baseHeaders = options.headers;
    const reqHeaders = reqOptions.headers;
    if (baseHeaders && reqHeaders) reqOptions.headers = async () => ({
      ...typeof baseHeaders === "function" ? await baseHeaders() : baseHeaders,
      ...typeof reqHeaders === "function" ? await reqHeaders() : reqHeaders
    });
    const args = deepMerge(options, reqOptions);
    return req.fetch(opts.args[0], args);
  }
  return req;
}, []);

// src/retry.ts
function backoffMs(attempt, { baseMs, maxMs }) {
  const ceiling = Math.min(maxMs, baseMs * 2 ** (attempt - 1));
  return Math.round(ceiling / 2 + Math.random() * (ceiling / 2));
}

// client/fetch.ts
var ProblemError = class extends Error {
  name = "ProblemError";
  code;
  status;
  errors;
  /** With `limit.reached`: the setting of the service that is reached. */
  bound;
  retryAfterSeconds;
  requestId;
  constructor(response, document) {
    super(document.detail ?? `The service answered ${response.status}.`);
    this.code = document.code ?? "unknown";
    this.status = response.status;
    this.errors = document.errors ?? [];
    this.bound = document.bound;
    this.retryAfterSeconds = secondsOf(response);
    this.requestId = response.headers.get("x-request-id") ?? void 0;
  }
};
var withoutEffect = /* @__PURE__ */ new Set([
  "rate.limited",
  "auth.keys-unavailable",
  "relay.unavailable",
  "user.changed"
]);
var transient = /* @__PURE__ */ new Set([408, 425, 429, 500, 502, 503, 504]);
var bookmarkHeader = "x-d1-bookmark";
var maxDelayMs = 6e4;
function createFetch(options) {
  const { timeoutMs = 15e3, retries = 4 } = options;
  const send = options.fetch ?? ((input, init) => globalThis.fetch(input, init));
  const sleep = options.sleep ?? ((ms) => new Promise((resolve) => setTimeout(resolve, ms)));
  let bookmark = null;
  async function attempt(request, refused) {
    const headers = new Headers(request.headers);
    headers.set("authorization", `Bearer ${await options.token({ refused })}`);
    if (bookmark !== null) headers.set(bookmarkHeader, bookmark);
    const signal = withTimeLimit(request.signal, timeoutMs);
    const response = await send(new Request(request.clone(), { headers, signal }));
    const reached = response.headers.get(bookmarkHeader);
    if (reached !== null && (bookmark === null || reached > bookmark)) bookmark = reached;
    return response;
  }
  return async (input, init) => {
    const request = new Request(input, init);
    const repeatable = await isRepeatable(request);
    let refused = false;
    for (let failures = 0; ; ) {
      const result = await attempt(request, refused).catch((error) => ({ error }));
      const waitMs = backoffMs(failures + 1, backoff);
      if ("error" in result) {
        if (!repeatable || failures >= retries || request.signal?.aborted) throw result.error;
        failures++;
        await sleep(waitMs);
        continue;
      }
      if (result.ok || result.status === 304) return result;
      if (failures > 0 && request.method === "DELETE" && result.status === 404)
        return new Response(null, { status: 204 });
      const problem = new ProblemError(result, await documentOf(result));
      if (result.status === 401 && !refused) {
        refused = true;
        continue;
      }
      const mayRetry = withoutEffect.has(problem.code) || repeatable && isTransient(problem);
      const delayMs = Math.max(waitMs, (problem.retryAfterSeconds ?? 0) * 1e3);
      if (!mayRetry || failures >= retries || delayMs > maxDelayMs) throw problem;
      failures++;
      await sleep(delayMs);
    }
  };
}
function withTimeLimit(signal, ms) {
  if (typeof AbortSignal.timeout === "function" && typeof AbortSignal.any === "function") {
    const limit = AbortSignal.timeout(ms);
    return signal ? AbortSignal.any([signal, limit]) : limit;
  }
  const controller = new AbortController();
  const reason = Object.assign(new Error("The service did not answer in time."), { name: "TimeoutError" });
  const timer = setTimeout(() => controller.abort(reason), ms);
  const stop = () => {
    clearTimeout(timer);
    controller.abort(signal?.reason);
  };
  if (signal?.aborted) stop();
  signal?.addEventListener("abort", stop);
  return controller.signal;
}
var isTransient = ({ status, code }) => transient.has(status) || code === "request.in-progress";
async function isRepeatable(request) {
  if (["GET", "HEAD", "PUT", "DELETE"].includes(request.method)) return true;
  if (request.method !== "POST") return false;
  const { pathname } = new URL(request.url);
  if (/^\/user$|\/survey\/[^/]+\/download$|\/(?:lock|archive|delete)-items$|\/device$|\/receipts?$|\/snooze$|\/reminders\/preview$/.test(
    pathname
  ))
    return true;
  const body = await request.clone().json().catch(() => null);
  return typeof body === "object" && body !== null && "identifier" in body;
}
var documentOf = (response) => response.json().catch(() => ({}));
var secondsOf = (response) => {
  const header = response.headers.get("retry-after");
  return header !== null && /^\d+$/.test(header) ? Number(header) : void 0;
};
var backoff = { baseMs: 250, maxMs: 8e3 };

// client/client.ts
function createClient(options) {
  const fetch2 = createFetch(options);
  const baseUrl = options.baseUrl.replace(/\/$/, "");
  const api = hc(baseUrl, { fetch: fetch2 });
  const lists = api.investigation[":id"];
  return {
    api,
    /** For requests that `api` does not type, such as CSV: with the same token, retries, bookmark and errors. */
    fetch: (path, init) => fetch2(`${baseUrl}${path}`, init),
    async *cases(study, filter = {}) {
      const ask = (cursor) => lists.cases.$get({ param: { id: study }, query: { limit: "500", ...filter, cursor } });
      for await (const page of pages(ask)) yield* page.cases;
    },
    async *responses(study, filter = {}) {
      const ask = (cursor) => lists.responses.$get({ param: { id: study }, query: { limit: "500", ...filter, cursor } });
      for await (const page of pages(ask)) yield* page.responses;
    },
    /** Pages of what changed in a study after a sequence, until all was read. Keep the `next` of each page. */
    async *changes(study, { after = 0, limit = 500, ...query } = {}) {
      for (let next = after, more = true; more; ) {
        const asked = { ...query, after: String(next), limit: String(limit) };
        const page = await (await lists.changes.$get({ param: { id: study }, query: asked })).json();
        yield page;
        more = page.next < page.latest;
        next = page.next;
      }
    }
  };
}
async function* pages(ask) {
  let cursor;
  do {
    const page = await (await ask(cursor)).json();
    yield page;
    cursor = page.next;
  } while (cursor !== void 0);
}
function newIdentifier(now = Date.now()) {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const variant = ((bytes[8] ?? 0) & 63 | 128).toString(16);
  return `${now.toString(16).padStart(12, "0")}7${hex.slice(13, 16)}${variant}${hex.slice(18)}`;
}
export {
  ProblemError,
  createClient,
  newIdentifier,
  pages
};
