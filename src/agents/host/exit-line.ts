/** The exit code of a command as the last line of its output. Pure. */
import type { Content } from '../../agent/event.ts'

/** Adds the line that users and models read as a failed command. */
export function withExit(content: readonly Content[], code: number): Content[] {
  const last = content.at(-1)
  const line = `[exit ${code}]`
  if (last?.type !== 'text') return [...content, { type: 'text', text: line }]
  return [...content.slice(0, -1), { type: 'text', text: `${last.text.replace(/\n$/, '')}\n${line}` }]
}
