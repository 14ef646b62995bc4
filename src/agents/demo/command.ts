/** Parses the demo's input. */
import { z } from 'zod'
import { parseJson } from '../../text/json.ts'
import { lookup } from '../../text/lookup.ts'

const commandSchema = z.looseObject({ id: z.string().optional(), type: z.string().default('') })
export type DemoCommand = z.infer<typeof commandSchema>

/** Null if the line is no command. */
export function parseCommand(line: string): DemoCommand | null {
  return commandSchema.safeParse(parseJson(line)).data ?? null
}

/** Returns a text field; '' if it is none. */
export function textField(command: DemoCommand, name: string): string {
  const value = lookup(command, name)
  return typeof value === 'string' ? value : ''
}

export type DemoPrompt = { message: string; images: readonly { mime_type: string; bytes: number }[] }

const imagesSchema = z.array(z.object({ mime_type: z.string(), data: z.string() })).catch([])

/** Reads a prompt's message and images. */
export function readPrompt(command: DemoCommand): DemoPrompt {
  const images = imagesSchema.parse(command['images'])
  return {
    message: textField(command, 'message'),
    images: images.map(({ mime_type, data }) => ({ mime_type, bytes: Buffer.byteLength(data, 'base64') })),
  }
}
