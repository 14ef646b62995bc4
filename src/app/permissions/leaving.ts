/** The questions of a command in the sandbox that wants more than it gives: their titles and their answers. Pure. */
import type { BoxWant, HostWant, LeftWant } from '../../agent/permission.ts'
import { pathWithin } from '../../platform/within.ts'
import { hostWithPort } from '../../text/host.ts'
import type { AskedQuestion } from './panel.ts'

type LeavingAnswer = AskedQuestion['answers'][number]

/** The effects of the answers. */
export type LeavingActs = {
  once: () => void
  /** For the rest of the conversation. */
  forSession: () => void
  no: () => void
  /** Shows what can be allowed for longer; null for nothing. */
  more: (() => void) | null
  say: () => void
  /** Deletes what a command has left. */
  remove: () => void
}

/** `command`: what waits; absent where that is the agent itself. `shown` makes a path for the screen. */
export function answersOf(
  { command }: { command?: string | undefined },
  wants: BoxWant,
  acts: LeavingActs,
  { shown, home }: { shown: (path: string) => string; home: string },
): LeavingAnswer[] {
  switch (wants.kind) {
    case 'host':
      return hostAnswers(command !== undefined, acts)
    case 'outside':
      return runAnswers(wants, shown(wants.path ?? ''), home, acts)
    case 'left':
      return leftAnswers(wants, acts)
  }
}

function hostAnswers(isCommand: boolean, acts: LeavingActs): LeavingAnswer[] {
  const { more } = acts
  return [
    row('Yes, this time', 'yes', 'yes', acts.once, isCommand ? 'for this command' : ''),
    row(
      'Yes, for this session',
      'again',
      'session',
      acts.forSession,
      isCommand ? 'for all commands of this conversation' : '',
    ),
    row('No', 'no', 'no', acts.no),
    ...(more ? [row('Yes, always', 'more', 'always', more, 'shows the rule first')] : []),
    row('No, and say what to do', 'instead', 'say', acts.say),
  ]
}

/** `shown` is the path for the screen. The answer that keeps everything as it is comes first. */
function runAnswers(
  { path }: { path: string | null },
  shown: string,
  home: string,
  acts: LeavingActs,
): LeavingAnswer[] {
  const canWrite = path !== null && !isTooWide(path, home)
  return [
    row('No, keep this result', 'no', 'no', acts.no),
    row('Yes, run it once outside', 'yes', 'outside', acts.once, 'nothing holds it then'),
    ...(canWrite
      ? [
          {
            ...row(`Allow writing in ${shown}`, 'again', `write in ${shown}`, acts.forSession),
            detail: 'this session; runs again inside',
            isWhole: true,
          },
        ]
      : []),
    row('No, and say what to do', 'instead', 'say', acts.say),
  ]
}

/** What cannot be undone has no key of its own. */
function leftAnswers({ places }: LeftWant, acts: LeavingActs): LeavingAnswer[] {
  const canRemove = places.every(({ isNew }) => isNew)
  return [
    row('Decide later', 'no', 'later', acts.no, 'every command asks until then'),
    row('Yes, keep it', 'yes', 'keep', acts.once),
    ...(canRemove ? [{ ...row('No, remove it', 'no', 'remove', acts.remove), move: null }] : []),
  ]
}

/** A path that is this long cannot be read in an answer. */
const LONGEST_PATH = 300

/** The home folder and all above it hold what the sandbox is there for. `home` is '' where it is not known. */
function isTooWide(path: string, home: string): boolean {
  return home === '' || path.length > LONGEST_PATH || pathWithin(path, home) !== null || /^\/+$/.test(path)
}

/** The entry of `sandboxHosts` for a connection. A host without a port stands for the two ports of the web. */
export function hostRule(wants: HostWant): { rule: string; words: string } {
  const isOfWeb = wants.port === 80 || wants.port === 443
  const whole = hostWithPort(wants)
  const rule = isOfWeb ? whole.slice(0, whole.lastIndexOf(':')) : whole
  return { rule, words: `Connections to ${wants.host}, ${isOfWeb ? 'ports 80 and 443' : `port ${wants.port}`}` }
}

function row(label: string, move: LeavingAnswer['move'], short: string, run: () => void, detail = ''): LeavingAnswer {
  return { label, detail, move, short, run }
}
