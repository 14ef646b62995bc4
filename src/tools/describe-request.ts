/**
 * What a call that asks would do, once for all that ask about it: the question on the screen and the one for a screen reader. Data
 * only; texts of the agent are unsanitised.
 */
import { isObject } from '../text/json.ts'
import type { EventOf } from '../agent/event.ts'
import type { BoxWant, LeftWant } from '../agent/permission.ts'
import { loadedSkill } from '../conversation/queries/loaded-skill.ts'
import type { DiffLine } from '../text/diff-line.ts'
import { hostWithPort } from '../text/host.ts'
import { sentence } from '../text/sentence.ts'
import { readPatch } from './diff/patch.ts'

/** A call that waits. */
export type RequestFacts = {
  request: EventOf<'permission_requested'>
  /** The command that the user wrote instead; null for the requested one. */
  changed: string | null
  /** Sentences without a full stop, the gravest first. */
  dangers: readonly string[]
  /** The lines at which the parts of its diff begin in their files; null if the diff has them. */
  starts: readonly (number | null)[] | null
  /** Its paths as shown: relative to the session's folder, or from the home folder. */
  paths: readonly string[]
  /** The folder in which it runs, if that is not the session's; else null. */
  folder: string | null
}

export type RequestSubject =
  | { kind: 'command'; command: string }
  /** The hunks of all files; none if the content stays the same. */
  | { kind: 'change'; paths: readonly string[]; hunks: readonly (readonly DiffLine[])[] }
  | { kind: 'files'; paths: readonly string[] }
  /** A skill with a plain name: nothing else is asked. */
  | { kind: 'skill'; name: string; value: unknown }
  | { kind: 'arguments'; value: unknown }

export type RequestDescription = {
  /** The agent's title, unless the rest says it; some agents send nothing else. For a connection, the host and the port. */
  title: string | null
  subject: RequestSubject
  /** What else a command depends on: its folder, its environment, arguments that it does not show. */
  around: readonly string[]
  dangers: readonly string[]
  /** What a command in the sandbox wants, and what is known of that: a sentence each. */
  wants: readonly string[]
  /** Why it is asked, as a sentence; '' if there is no reason, or if a danger says it. */
  reason: string
}

/** Kept, since a question is drawn many times and a diff can be long. */
const made = new WeakMap<RequestFacts, RequestDescription>()

export function describeRequest(facts: RequestFacts): RequestDescription {
  const known = made.get(facts) ?? describe(facts)
  made.set(facts, known)
  return known
}

function describe(facts: RequestFacts): RequestDescription {
  const { request, dangers, folder } = facts
  const { because, wants } = request
  const title = wants?.kind === 'host' ? hostWithPort(wants) : (request.title ?? '')
  const subject = subjectOf(facts)
  const isCommand = subject.kind === 'command'
  const said =
    subject.kind === 'change' || subject.kind === 'files'
      ? [...(request.paths ?? []), ...facts.paths]
      : [request.command]
  const where = folder === null ? [] : [`in ${folder}`]
  return {
    title: title === '' || said.some(name => title === name || title.replace(VERB, '') === name) ? null : title,
    subject,
    around: isCommand ? [...where, ...environment(request.arguments)] : [],
    // It has run: what it has left is what matters.
    dangers: wants?.kind === 'left' ? [] : dangers,
    wants: wants ? wantSentences(wants, request) : [],
    reason: reasonOf(because, dangers),
  }
}

function wantSentences(wants: BoxWant, { command, folder }: RequestFacts['request']): string[] {
  switch (wants.kind) {
    case 'host':
      return [`The ${command === undefined ? 'agent' : 'command'} runs in the sandbox, and waits for this connection.`]
    case 'outside':
      return ['It has run once, and has failed.', `A guess at why, from its output: ${wants.hint}`]
    case 'left':
      return ['It has run, and left what can decide what runs later:', ...leftLines(wants, folder)]
  }
}

/** Places that are named. */
const MOST_LEFT = 6

function leftLines({ places }: LeftWant, folder: string): string[] {
  const others = places.length - MOST_LEFT
  const lines = places.slice(0, MOST_LEFT).map(({ path, kind, isNew }) => {
    const name = path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path
    return `${name}  ${leftWords[kind]}${isNew || kind === 'unknown' ? '' : ', changed'}`
  })
  return others > 0 ? [...lines, `and ${others} more: /sandbox lists them`] : lines
}

const leftWords: Readonly<Record<LeftWant['places'][number]['kind'], string>> = {
  repository: 'a repository: its hooks run programs',
  protected: 'programs run or obey it',
  link: 'a link out of the folder',
  unknown: 'what has changed in this folder is not known',
}

function reasonOf(because: string, dangers: readonly string[]): string {
  if (because === '' || dangers.includes(because)) return ''
  return because.startsWith('the rule ') ? `Reason: ${because}` : sentence(because)
}

/** What a title says of a file beside its name; the question and the lines below it say as much. */
const VERB = /^(?:Edit|Write|Create|Update|Read) (?=\S)/u

function subjectOf({ request, changed, paths, starts }: RequestFacts): RequestSubject {
  const command = changed ?? request.command
  if (command !== undefined) return { kind: 'command', command }
  if (request.diff !== undefined) return { kind: 'change', paths, hunks: readPatch(request.diff, starts) }
  if (request.kind === 'read' && paths.length > 0) return { kind: 'files', paths }
  const { arguments: value } = request
  const name = loadedSkill(request)
  return name === null ? { kind: 'arguments', value } : { kind: 'skill', name, value }
}

/** The arguments that a question about a command shows anyway. */
const SHOWN: ReadonlySet<string> = new Set(['command', 'description', 'path', 'content', 'edits'])

function environment(value: unknown): string[] {
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([name, each]): string[] => {
    if (SHOWN.has(name)) return []
    if ((name === 'env' || name === 'environment') && isObject(each)) {
      return Object.entries(each).map(([key, set]) => `${key}=${String(set)}`)
    }
    return [`${name} ${typeof each === 'string' ? each : JSON.stringify(each)}`]
  })
}
