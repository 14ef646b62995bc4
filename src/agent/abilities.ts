/**
 * What only some agents can do, each named after the method of `Backend` that it is about. A method without an ability of its name
 * belongs to another: `startOptions` to `startWith`, `skillText` to `reading`, `unasked` to `startIn`, `endRunning` to `listRunning`,
 * `answerPermission` to whatever asks, `withdrawSteer` to `steer`.
 */
export const abilities = [
  'leave',
  'compact',
  'clear',
  'listModels',
  'listEveryModel',
  'reading',
  'startWith',
  'replace',
  'login',
  'loginMethods',
  'logInWith',
  'logOut',
  'setModel',
  'setReasoning',
  'setOption',
  'listSessions',
  'openSession',
  'resumeSession',
  /** `resumeSession` can leave out the end of a session. */
  'cutSessions',
  'judgeWith',
  'setPermissionMode',
  'startIn',
  'listRunning',
  /** Words reach its running turn. */
  'steer',
  'stopTask',
  'setFolders',
  /** The MCP servers of the settings are passed to it. */
  'servers',
  'renameSession',
  /** Its commands run here and can be held by the sandbox. */
  'sandbox',
] as const

export type Ability = (typeof abilities)[number]
