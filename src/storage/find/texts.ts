/** The texts of a line of a session that are searched. */
import type { AnswerContent, Content, PlainEvent } from '../../agent/event.ts'
import type { FormValues } from '../../agent/session-events.ts'
import { isContainer } from '../../text/json.ts'
import { lookup } from '../../text/lookup.ts'
import { isEvent, type SessionLine } from '../sessions/session-format.ts'
import type { PassageKind } from './passage.ts'

/** `call` is the id of the call that it belongs to. */
export type IndexedText = { kind: PassageKind; text: string; at: number; call: string | null }

/** UTF-16 units of a passage, and of all of a text that is searched: nobody looks for what is behind a million. */
const PASSAGE = 4000
const SEARCHED = 1_000_000
/** Arguments that are names of files, and those that are contents of files, by their names without case and `_`. */
const pathNames = new Set(['path', 'paths', 'file', 'files', 'filepath', 'filename', 'notebookpath', 'absolutepath'])
const changeNames = new Set(
  'content contents oldstring newstring oldtext newtext oldstr newstr patch diff edits newsource filetext code'.split(
    ' ',
  ),
)
/** The deepest value of the arguments of a call that is looked at. */
const DEEPEST = 8

/** The texts of a line, in an order that stays: an index in it is in the database. Empty ones are left out. */
export function textsOf(line: SessionLine): IndexedText[] {
  return allTexts(line).filter(({ text }) => text.trim() !== '')
}

function allTexts(line: SessionLine): IndexedText[] {
  if (line.type === 'side_ended')
    return [
      { kind: 'prompt', text: line.question, at: line.at, call: null },
      { kind: 'answer', text: line.answer, at: line.at, call: null },
    ]
  if (!isEvent(line)) return []
  return line.type === 'task_event' ? textsOfTask(line.event) : textsOfPlain(line)
}

/** The calls of a subagent are none of the conversation, so that their texts are found by time. */
function textsOfTask(event: PlainEvent): IndexedText[] {
  return textsOfPlain(event).map(({ kind, text, at }) => ({ kind, text, at, call: null }))
}

function textsOfPlain(event: PlainEvent): IndexedText[] {
  const { at } = event
  const plain = (kind: PassageKind, text: string | undefined): IndexedText => ({
    kind,
    text: text ?? '',
    at,
    call: null,
  })
  const ofCall = (id: string, texts: readonly CallText[]): IndexedText[] =>
    texts.map(({ kind, text }) => ({ kind, text, at, call: id }))
  if (event.type === 'prompt_sent' || event.type === 'steer_delivered') {
    const isOfUser = event.type === 'steer_delivered' || event.by === undefined
    const files = [...(event.files ?? []), ...event.images].flatMap(({ path }) => path ?? [])
    return [plain('prompt', isOfUser ? (event.typed ?? event.text) : ''), plain('file', files.join('\n'))]
  }
  if (event.type === 'permission_decided') return [plain('prompt', event.by === 'user' ? event.words : '')]
  if (event.type === 'text_received' || event.type === 'plan_proposed') return [plain('answer', event.text)]
  if (event.type === 'answer_finished') return [plain('answer', textIn(event.content))]
  if (event.type === 'compaction_finished') return [plain('answer', event.summary)]
  if (event.type === 'remark_made') return [plain('answer', event.sideAnswer)]
  if (event.type === 'error_reported') return [plain('result', event.message)]
  if (event.type === 'step_ended') return [plain('result', event.error)]
  if (event.type === 'tool_called') return ofCall(event.id, argumentTexts(event.arguments))
  if (event.type === 'tool_described') return ofCall(event.id, describedTexts(event))
  if (event.type === 'tool_finished') return ofCall(event.id, [{ kind: 'result', text: textIn(event.content) }])
  if (event.type === 'shell_started') return [plain('command', event.command)]
  if (event.type === 'shell_ended') return [plain('result', event.problem ?? event.output)]
  if (event.type === 'question_asked') return [plain('answer', event.message)]
  if (event.type === 'question_answered') return [plain('prompt', writtenIn(event.values))]
  if (event.type === 'commands_changed') return [plain('file', event.files.map(({ path }) => path).join('\n'))]
  return []
}

/** A text in passages, which end at spaces where there are some. */
export function passagesOf(text: string): string[] {
  const passages: string[] = []
  const end = Math.min(text.length, SEARCHED)
  for (let from = 0; from < end;) {
    const cut = from + PASSAGE >= end ? end : cutAt(text, from + PASSAGE)
    passages.push(text.slice(from, cut))
    from = cut
  }
  return passages
}

function cutAt(text: string, at: number): number {
  const space = text.slice(at - PASSAGE / 4, at).search(/\s\S*$/)
  if (space >= 0) return at - PASSAGE / 4 + space + 1
  const unit = text.charCodeAt(at)
  return unit >= 0xdc00 && unit <= 0xdfff ? at - 1 : at
}

function textIn(content: readonly (Content | AnswerContent)[]): string {
  return content.flatMap(block => (block.type === 'text' ? [block.text] : [])).join('\n')
}

/** What the user wrote or chose in a form. */
function writtenIn(values: FormValues = {}): string {
  return Object.values(values)
    .flat()
    .filter(value => typeof value === 'string')
    .join('\n')
}

type CallText = Pick<IndexedText, 'kind' | 'text'>

/** The files, the changes, and whatever else the arguments of a call say. */
function argumentTexts(args: unknown): CallText[] {
  const found: Record<'file' | 'diff' | 'command', string[]> = { file: [], diff: [], command: [] }
  const walk = (value: unknown, kind: keyof typeof found, depth: number): void => {
    if (typeof value === 'string') found[kind].push(value)
    if (!isContainer(value) || depth > DEEPEST) return
    if (Array.isArray(value)) {
      for (const each of value) walk(each, kind, depth + 1)
      return
    }
    for (const name of Object.keys(value)) {
      const plain = name.toLowerCase().replaceAll(/[_-]/g, '')
      const own = pathNames.has(plain) ? 'file' : changeNames.has(plain) ? 'diff' : kind
      walk(lookup(value, name), own, depth + 1)
    }
  }
  walk(args, 'command', 0)
  // Words of one command are one line.
  return [
    { kind: 'command', text: found.command.join(' ') },
    { kind: 'diff', text: found.diff.join('\n') },
    { kind: 'file', text: found.file.join('\n') },
  ]
}

function describedTexts({
  title = '',
  locations = [],
  diff = [],
}: Pick<Extract<PlainEvent, { type: 'tool_described' }>, 'title' | 'locations' | 'diff'>): CallText[] {
  const paths = new Set([...locations, ...diff].map(({ path }) => path))
  return [
    { kind: 'command', text: title },
    { kind: 'diff', text: diff.map(({ before, after }) => changedLines(before ?? '', after)).join('\n') },
    { kind: 'file', text: [...paths].join('\n') },
  ]
}

/** The lines between the first and the last that differ, of both texts. */
function changedLines(before: string, after: string): string {
  const [old, fresh] = [before.split('\n'), after.split('\n')]
  const most = Math.min(old.length, fresh.length)
  let first = 0
  while (first < most && old[first] === fresh[first]) first += 1
  let last = 0
  while (last < most - first && old[old.length - 1 - last] === fresh[fresh.length - 1 - last]) last += 1
  return [...old.slice(first, old.length - last), ...fresh.slice(first, fresh.length - last)].join('\n')
}

/** A part of a text that is found by itself. */
export type TextPiece = IndexedText & { part: number }

/** The passages of neighbouring lines of a session: those of one line, or of an answer in pieces. */
export function piecesOf(lines: readonly SessionLine[]): TextPiece[] {
  const said = lines.filter(event => event.type === 'text_received')
  const [first] = said
  const texts: IndexedText[] = first
    ? [{ kind: 'answer', text: said.map(({ text }) => text).join(''), at: first.at, call: null }]
    : lines.flatMap(textsOf)
  const pieces: TextPiece[] = []
  for (const { text, ...whole } of texts)
    for (const passage of passagesOf(text)) pieces.push({ ...whole, text: passage, part: pieces.length })
  return pieces
}
