/** The result of a call: its blocks as text and images, and its tasks. Pure. */
import { z } from 'zod'
import type { Content } from '../../../agent/event.ts'
import { withExit } from '../../host/exit-line.ts'
import { innerWords } from '../../host/inner-words.ts'
import type { WireMeerkatBlock } from '../frame.ts'

/** The first line of what a command printed. */
const EXIT = /^exit code (-?\d+) \([\d.]+s\)(?:\n|$)/

/** The content of a result, and whether a command failed: Meerkat does not count that as an error. */
export function resultContent(
  blocks: readonly WireMeerkatBlock[],
  { isCommand, isError }: { isCommand: boolean; isError: boolean },
): { content: Content[]; exitFailed: boolean } {
  const content = blocks.map(toContent)
  const [first, ...rest] = content
  if (first?.type !== 'text') return { content, exitFailed: false }
  if (isError) return { content: [{ type: 'text', text: innerWords(first.text) }, ...rest], exitFailed: false }
  const [line, code] = (isCommand && EXIT.exec(first.text)) || []
  if (line === undefined) return { content, exitFailed: false }
  const printed = first.text.slice(line.length)
  const plain: Content[] = printed === '' ? rest : [{ type: 'text', text: printed }, ...rest]
  return code === '0'
    ? { content: plain, exitFailed: false }
    : { content: withExit(plain, Number(code)), exitFailed: true }
}

function toContent({ type, text, media_type: mimeType = '', data }: WireMeerkatBlock): Content {
  if (text !== undefined) return { type: 'text', text }
  if (type === 'image' || type === 'video')
    return { type: 'image', mimeType, bytes: typeof data === 'string' ? Buffer.byteLength(data, 'base64') : 0 }
  return { type: 'text', text: structured(data) }
}

const names = z.array(z.string())
const patchSchema = z.object({ added_files: names, modified_files: names, deleted_files: names })

/** A result without a text. The known ones are written as lines, others as JSON. */
function structured(data: unknown): string {
  if (typeof data === 'string') return data
  const patch = patchSchema.safeParse(data).data
  if (patch) {
    const files = { added: patch.added_files, changed: patch.modified_files, deleted: patch.deleted_files }
    return Object.entries(files)
      .flatMap(([verb, paths]) => paths.map(path => `${verb} ${path}`))
      .join('\n')
  }
  const tasks = tasksIn(data)
  if (tasks.length > 0) return tasks.map(({ text, status }) => `${text} (${status})`).join('\n')
  return JSON.stringify(data, null, 2) ?? ''
}

export type Task = { id: string; text: string; status: string; priority: string }

const taskSchema = z.object({ id: z.string(), subject: z.string(), status: z.string(), priority: z.string().catch('') })

/** The tasks in a result, one or a list. */
export function tasksIn(data: unknown): Task[] {
  const tasks: unknown[] = Array.isArray(data) ? data : [data]
  return tasks.flatMap(task => {
    const { data: read } = taskSchema.safeParse(task)
    return read ? [{ id: read.id, text: read.subject, status: read.status, priority: read.priority }] : []
  })
}
