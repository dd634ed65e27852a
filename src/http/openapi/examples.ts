/**
 * The people and items of every example: Ada owns a study of sleep, Bruno edits it, Chidi takes part and answers its
 * diary for his first night.
 */
export const examples = {
  owner: { identifier: '01a3b83892b97bba9d45197626bd5759', name: 'Ada Lindqvist' },
  editor: { identifier: '01a3b87aea3876519aa33a79bbdfdb08', name: 'Bruno Reyes' },
  responder: { identifier: '01a3d4021ee978e3995de6affbacade3', name: 'Chidi Okafor' },
  study: { identifier: '01a3b83d70727d909b3ed66d4ea7b902', name: 'Sleep', timeZone: 'Europe/Paris' },
  survey: {
    identifier: '01a3b84abc397e879e012bac495a639c',
    name: 'Diary',
  },
  case: { identifier: '01a4050555a074e79c850aa828d634a7', label: 'Night 1' },
  response: { identifier: '01a4050c04907be093ba8cfe0a2c1bfe' },
  revision: { identifier: '01a4050c04907a489649fbb2f3ef9d15' },
  device: { identifier: '01a3d4039eda74e2987cee284f4a00b7' },
  /** The hash of the newest entry of the activity log. */
  hash: 'b1d63b7bd2a5b8cf7a1b0c1b7e6a0f35bb1f6c1ad3be0ba3c64a0b6fd2a4e97c',
} as const;
