/** The arguments of a call: complete once it was called, partial while the model is still writing them. */
import { z } from 'zod'
import type { ToolCall } from '../conversation/part.ts'
import { partialString, partialTail, partialValue } from './partial-json.ts'
import { isObject } from '../text/json.ts'
import { lookup } from '../text/lookup.ts'

const edits = z.object({ edits: z.array(z.looseObject({ oldText: z.string(), newText: z.string().optional() })) })

/** Longer drafts of an edit are not parsed while they grow. */
const LONGEST_DRAFT = 64 * 1024

/** A string argument, as far as it has arrived. */
export function textArgument(tool: ToolCall, key: string): string | undefined {
  const value = argumentOf(tool, key)
  if (value !== undefined) return typeof value === 'string' ? value : undefined
  return partialString(tool.argumentsText, key)
}

export function numberArgument(tool: ToolCall, key: string): number | undefined {
  const value = argumentOf(tool, key)
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

/** Arguments without the texts among them that are said beside them. */
export function withoutTexts(args: unknown, isSaid: (text: string) => boolean): unknown {
  if (!isObject(args)) return args
  return Object.fromEntries(Object.entries(args).filter(([, value]) => typeof value !== 'string' || !isSaid(value)))
}

/** The last lines of a string argument, without decoding all of it again for each frame. */
export function argumentTail(tool: ToolCall, key: string, limit: number): string | undefined {
  const value = argumentOf(tool, key)
  if (typeof value !== 'string') return partialTail(tool.argumentsText, key, limit)
  if (value.length <= limit) return value
  const newline = value.indexOf('\n', value.length - limit)
  return value.slice(newline < 0 ? value.length - limit : newline + 1)
}

export type FileEdit = { oldText: string; newText: string }

/** The replacements of an edit, as far as they have arrived. */
export function editsOf(tool: ToolCall): FileEdit[] {
  const known = argumentsOf(tool)
  if (!known && tool.argumentsText.length > LONGEST_DRAFT) return []
  const found = edits.safeParse(known ?? partialValue(tool.argumentsText))
  if (!found.success) return []
  return found.data.edits.map(({ oldText, newText }) => ({ oldText, newText: newText ?? '' }))
}

function argumentOf(tool: ToolCall, key: string): unknown {
  return lookup(argumentsOf(tool) ?? {}, key)
}

/** The arguments by name; null while incomplete, or if they are not an object. */
export function argumentsOf(tool: ToolCall): Readonly<Record<string, unknown>> | null {
  return isObject(tool.arguments) ? tool.arguments : null
}
