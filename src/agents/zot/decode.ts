/**
 * Decodes zot's lines. The usual frames are read without a schema, which takes several times as long, and milliseconds when it runs
 * for the first time; what is read so equals what the schema reads, or the frame is left to it. Pure.
 */
import { isObject, parseJson } from '../../text/json.ts'
import { namesOf } from '../../text/lookup.ts'
import type { CommandType, ReplyData } from './command.ts'
import { readFrame, type Response, type WireFrame, type ZotEvent } from './frame.ts'

type ReadFields = Readonly<Record<string, unknown>>
type FieldKind = 'string' | 'number' | 'boolean' | 'maybe string'
/** The fields of all these frames: our own list, so that any of them may be a key. */
type FieldName = NamesIn<ZotEvent | Response | ModelFields | ReplyData<CommandType>>
type NamesIn<Read> = Read extends unknown ? keyof Read : never
type ResultEvent = Extract<ZotEvent, { type: 'tool_result' }>
type ModelFields = ReplyData<'get_models'>['models'][number]
type FrameShape = { readonly [Name in FieldName]?: FieldKind }
type ShapeFields = readonly (readonly [FieldName, FieldKind])[]

/** The kind of each field that the schema reads: a field without one would be lost. */
type ShapeOf<Read> = { readonly [Name in Exclude<keyof Read, 'type'>]-?: KindOf<Read[Name]> }
type KindOf<Value> = undefined extends Value
  ? Exclude<Value, undefined> extends string
    ? 'maybe string'
    : never
  : Value extends string
    ? 'string'
    : Value extends number
      ? 'number'
      : Value extends boolean
        ? 'boolean'
        : never

const EVENTS: { readonly [Type in ZotEvent['type']]?: ShapeOf<Extract<ZotEvent, { type: Type }>> } = {
  user_message: {},
  turn_start: { step: 'number' },
  assistant_start: {},
  text_delta: { delta: 'string' },
  tool_use_start: { id: 'string', name: 'string' },
  tool_use_args: { id: 'string', delta: 'string' },
  tool_use_end: { id: 'string' },
  tool_progress: { id: 'string', text: 'string' },
  turn_end: { stop: 'string', error: 'maybe string' },
  done: {},
}
const RESPONSE: ShapeOf<Omit<Response, 'data'>> = {
  command: 'string',
  success: 'boolean',
  id: 'maybe string',
  error: 'maybe string',
}
/** Null: there is nothing to read. */
const DATA: { readonly [Type in CommandType]?: ShapeOf<ReplyData<Type>> | null } = {
  prompt: null,
  abort: null,
  hello: { protocol_version: 'number', version: 'string', provider: 'string', model: 'string' },
  get_state: { provider: 'string', model: 'string', reasoning: 'maybe string' },
}
const MODEL: ShapeOf<ModelFields> = {
  id: 'string',
  provider: 'string',
  context_window: 'number',
  max_output: 'number',
  reasoning: 'boolean',
}

const RESULT: ShapeOf<Omit<ResultEvent, 'content'>> = { id: 'string', is_error: 'boolean' }

const events = new Map(Object.entries(EVENTS).map(([type, shape]) => [type, fieldsIn(shape)]))
const result = fieldsIn(RESULT)
const response = fieldsIn(RESPONSE)
const model = fieldsIn(MODEL)

function fieldsIn(shape: FrameShape): ShapeFields {
  return namesOf(shape).flatMap(name => (shape[name] ? [[name, shape[name]] as const] : []))
}

/** Decodes one line. Never throws: a line that is not understood is `unknown`. */
export function decode(line: string): WireFrame {
  return decodeValue(parseJson(line))
}

/** Decodes the value of a line; undefined is no JSON. */
export function decodeValue(value: unknown): WireFrame {
  if (value === undefined) return { kind: 'unknown', reason: 'not JSON' }
  return readUsualFrame(value) ?? readFrame(value)
}

/** The frame as the schema reads it; null for one of another shape. */
export function readUsualFrame(value: unknown): WireFrame | null {
  const event = readUsualEvent(value)
  if (event) return { kind: 'event', event }
  if (!isObject(value) || value['type'] !== 'response') return null
  const read = fieldsOf(value, response)
  return read && ({ kind: 'response', response: { type: 'response', ...read, data: value['data'] } } as WireFrame)
}

/** The event as the schema reads it, without a copy where there is nothing to leave out; null for anything else. */
export function readUsualEvent(value: unknown): ZotEvent | null {
  if (!isObject(value) || typeof value['type'] !== 'string') return null
  const { type } = value
  if (type === 'tool_result') return resultOf(value)
  const fields = events.get(type)
  if (!fields) return null
  if (isExactly(value, fields)) return value as ZotEvent
  const read = fieldsOf(value, fields)
  return read && ({ type, ...read } as ZotEvent)
}

/** Whether it has these fields, all of them and no other, beside its type. */
function isExactly(value: ReadFields, fields: ShapeFields): boolean {
  let missing = fields.length
  for (const name in value) {
    if (name === 'type') continue
    if (!isFieldOf(value, name, fields)) return false
    missing -= 1
  }
  return missing === 0
}

function isFieldOf(value: ReadFields, name: string, fields: ShapeFields): boolean {
  for (const [own, kind] of fields) if (own === name) return isOfKind(value[own], kind)
  return false
}

/** The result of a call, if all of it is text. */
function resultOf(value: ReadFields): ZotEvent | null {
  const read = fieldsOf(value, result)
  const { content } = value
  if (!read || !Array.isArray(content)) return null
  const texts = content.flatMap((block): { type: 'text'; text: string }[] =>
    isObject(block) && block['type'] === 'text' && typeof block['text'] === 'string'
      ? [{ type: 'text', text: block['text'] }]
      : [],
  )
  if (texts.length < content.length) return null
  return { type: 'tool_result', ...read, content: texts } as ZotEvent
}

/** The data of a reply as the schema of its command reads them; null for those of another shape. */
export function readUsualData(type: CommandType, data: unknown): { data: unknown } | null {
  const shape = DATA[type]
  if (shape === null) return { data: undefined }
  const read = shape ? fieldsOf(data, fieldsIn(shape)) : type === 'get_models' ? modelsOf(data) : null
  return read && { data: read }
}

function modelsOf(data: unknown): ReadFields | null {
  if (!isObject(data) || !Array.isArray(data['models'])) return null
  const models = data['models'].map(each => fieldsOf(each, model))
  return models.includes(null) ? null : { models }
}

function fieldsOf(value: unknown, fields: ShapeFields): ReadFields | null {
  if (!isObject(value)) return null
  const read: { [Name in FieldName]?: unknown } = {}
  for (const [name, kind] of fields) {
    const field = value[name]
    if (!isOfKind(field, kind)) return null
    read[name] = field
  }
  return read
}

function isOfKind(field: unknown, kind: FieldKind): boolean {
  if (kind === 'maybe string') return field === undefined || typeof field === 'string'
  // A number that is too large for JavaScript is infinite.
  return typeof field === kind && (kind !== 'number' || Number.isFinite(field))
}
