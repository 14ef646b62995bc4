/** Permissions: the questions that an agent's calls raise before they run, and the answers. No agent's own words. */

/**
 * The calls that run unasked. `ask`: reading only. `edits`: also edits inside the folder. `contained`: also commands, which the sandbox
 * holds. `plan`: reading only, and the turn ends with a plan. `allow`: everything. `read`: reading only, and the rest is refused unasked.
 */
export const permissionModes = ['ask', 'edits', 'contained', 'plan', 'allow', 'read'] as const
export type PermissionMode = (typeof permissionModes)[number]

/** From the strictest. */
const strictness: readonly PermissionMode[] = ['read', 'plan', 'ask', 'edits', 'contained', 'allow']

/** Whether `mode` is at least as strict as `other`. */
export function isStricter(mode: PermissionMode, other: PermissionMode): boolean {
  return strictness.indexOf(mode) <= strictness.indexOf(other)
}

/** The kind of a call. `other` is a call whose kind neither the agent nor its translation knows. */
export const toolKinds = ['command', 'edit', 'read', 'other'] as const
export type ToolKind = (typeof toolKinds)[number]

/** An answer that an agent offers. `kind` is one of the four of ACP, or another word of the agent. `name` is for the user. */
export type PermissionOption = {
  id: string
  name: string
  kind: 'allow_once' | 'allow_always' | 'reject_once' | 'reject_always' | (string & {})
}

/** A call that is about to run. Texts are the agent's own: unsanitised, and not shortened. */
export type ToolRequest = {
  /** Unique among the requests of this session. */
  id: string
  /** The id of the call in `tool_called`; null if the agent does not report it. */
  callId: string | null
  tool: string
  kind: ToolKind
  arguments: unknown
  /** The absolute folder in which it runs. */
  folder: string
  /** The whole command of a `command`. */
  command?: string | undefined
  /** The absolute paths that it reads or writes, as far as they are known. */
  paths?: readonly string[] | undefined
  /** For an `edit`: the unified diff of what it changes. */
  diff?: string | undefined
  /** The agent's own description of the call. */
  title?: string | undefined
  /** The answers that the agent offers, in its order; absent if it takes those of zotui. */
  options?: readonly PermissionOption[] | undefined
  /** What a command in the sandbox wants beyond it; absent for a call that has not begun. Only the user can grant it. */
  wants?: BoxWant | undefined
  /** Set where a rule of `sandboxOutside` lets the command out: if the user allows it, it runs outside the sandbox. */
  outside?: true | undefined
  /** Set where a yes switches the agent's own mode, such as the end of its planning. */
  switchesMode?: true | undefined
}

/** Something that the sandbox does not give. */
export type BoxWant =
  | HostWant
  /**
   * To run again outside: it has run once, and has failed. `hint` is the line of its output that seems to say why: a guess, which decides
   * nothing. `path` is the folder that could be opened to commands in the sandbox instead; null for none.
   */
  | { kind: 'outside'; hint: string; path: string | null }
  | LeftWant

/** That what it has left stays. Until the answer no git of ours runs there, and every command asks. */
export type LeftWant = { kind: 'left'; places: readonly LeftPlace[] }

/** Something that can decide what runs later. */
export type LeftPlace = {
  /** Absolute. */
  path: string
  /**
   * `repository`: a `.git`, or the `HEAD` of a bare repository. `protected`: a file or a folder that can decide what runs later. `link`: it
   * leads out of the project. `unknown`: the project could not be looked through, so there may be anything; the path is the project's.
   */
  kind: 'repository' | 'protected' | 'link' | 'unknown'
  /** False if it was there before, and was changed. */
  isNew: boolean
}

/** A connection, which waits for the answer. `host` is a name or an address as it was named, in lower case. */
export type HostWant = { kind: 'host'; host: string; port: number }

/** A request as the fields of its event, which no one else changes. */
export function requestFacts({ paths, options, ...facts }: ToolRequest) {
  return { ...facts, ...(paths && { paths: [...paths] }), ...(options && { options: [...options] }) }
}

/** The decision before anybody is asked. `because` names the rule or mode, in words for the user. */
export type Verdict =
  /** `box`: a command is allowed only in this box. Who cannot make it refuses. */
  | { verdict: 'allow'; because: string; box?: BoxKind }
  /**
   * `isProvisional`: the rules are not known yet. `isUsual`: the mode asks about every call like this one, so `because` says to the
   * user of a question nothing. `outside`: a yes of the user lets it run outside the sandbox.
   */
  | { verdict: 'ask'; because: string; isProvisional?: true; isUsual?: true; outside?: true }
  /** `words` go to the model. */
  | { verdict: 'refuse'; because: string; words: string }

/** The box that holds a command to what it was allowed for. */
export type BoxKind =
  /**
   * It runs because it only reads: in the box for reading where the machine has one (`src/sandbox/read-box.ts`). `git` has the settings with
   * which its git commands only read, besides those of every such git (`src/platform/git/switches.ts`); null for a line without git.
   */
  | { kind: 'reading'; git: readonly GitSetting[] | null }
  /** It runs because the sandbox holds it (`src/sandbox/command-sandbox.ts`). */
  | { kind: 'writing' }

/** A setting of git: `core.fsmonitor`, and its value. */
export type GitSetting = readonly [key: string, value: string]

/** Decides at once where it knows all that it needs. One that throws, or whose promise rejects, counts as `ask`. */
export type Judge = (request: ToolRequest) => Verdict | Promise<Verdict>
