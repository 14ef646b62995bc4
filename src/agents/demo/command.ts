/** Parses the demo's input: a line becomes a command, or the error that zot would report. */
import { z } from 'zod'

const commandSchema = z.looseObject({ id: z.string().optional(), type: z.string().default('') })
export type DemoCommand = z.infer<typeof commandSchema>

export type ParsedCommand = { command: DemoCommand } | { malformed: string }

export function parseCommand(line: string): ParsedCommand {
  let json: unknown
  try {
    json = JSON.parse(line)
  } catch {
    return { malformed: malformed(line) }
  }
  if (json === null) return { command: { type: '' } }
  const parsed = commandSchema.safeParse(json)
  if (parsed.success) return { command: parsed.data }
  return { malformed: `json: cannot unmarshal ${goKind(json)} into Go value` }
}

/** Words the error as Go does, which names the first invalid byte or the end of the input. */
function malformed(line: string): string {
  if (/^[[{"]/.test(line)) return 'unexpected end of JSON input'
  return `invalid character '${line.slice(0, 1).toWellFormed()}' looking for beginning of value`
}

/** Returns a text field; '' if it is none. */
export function textField(command: DemoCommand, name: string): string {
  const value = command[name]
  return typeof value === 'string' ? value : ''
}

export type DemoPrompt = { message: string; images: readonly { mime_type: string; bytes: number }[] }

const image = z.object({ mime_type: z.string().default(''), data: z.string().default('') })

/** Reads a prompt's message and images, or returns the error that zot would report. */
export function readPrompt(command: DemoCommand): DemoPrompt | { error: string } {
  const { message = '', images = [] } = command
  if (typeof message !== 'string') return { error: wrongField('message', message, 'string') }
  const list = z.array(image).safeParse(images)
  if (!list.success) return { error: wrongField('images', images, '[]images') }
  for (const { data } of list.data) {
    const wrong = firstWrongByte(data)
    if (wrong !== undefined) return { error: `illegal base64 data at input byte ${wrong}` }
  }
  return { message, images: list.data.map(({ mime_type, data }) => ({ mime_type, bytes: decodedLength(data) })) }
}

function wrongField(name: string, value: unknown, wanted: string): string {
  return `json: cannot unmarshal ${goKind(value)} into Go struct field .${name} of type ${wanted}`
}

function goKind(value: unknown): string {
  if (Array.isArray(value)) return 'array'
  return typeof value === 'boolean' ? 'bool' : typeof value
}

function firstWrongByte(base64: string): number | undefined {
  const valid = /^[A-Za-z0-9+/]*={0,2}/.exec(base64)?.[0].length ?? 0
  if (valid < base64.length) return valid
  return base64.length % 4 === 0 ? undefined : base64.length
}

function decodedLength(base64: string): number {
  return (base64.length / 4) * 3 - (base64.match(/=+$/)?.[0].length ?? 0)
}
