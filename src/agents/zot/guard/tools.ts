/** The tools that run in zotui instead of zot: its edits. The room `local-tools` has them. */
import type { Content } from '../../../agent/event.ts'
import type { WireBlock } from './frames.ts'
import type { RegisteredTool } from './folder.ts'

/** `data` is base64. */
export type OwnContent = { type: 'text'; text: string } | { type: 'image'; mimeType: string; data: string }

export type OwnOutcome = { content: readonly OwnContent[]; isError: boolean }

/** What a call would do; `state` is handed to `run`, which refuses if the file has changed since. */
export type OwnPreview<State> =
  | { ok: true; paths: readonly string[]; diff: string; state: State }
  /** It cannot succeed: this is its answer, and nobody need be asked. */
  | { ok: false; outcome: OwnOutcome }

/** The tools of one folder. They ask for no permission. */
export type OwnTools<State = unknown> = {
  readonly definitions: readonly (RegisteredTool & { kind: string })[]
  /** Changes nothing. Never rejects. */
  preview(tool: string, args: unknown): Promise<OwnPreview<State>>
  /** Never rejects. */
  run(
    tool: string,
    args: unknown,
    options: { expected?: State; mayLeaveFolder: boolean; signal: AbortSignal },
  ): Promise<OwnOutcome>
}

export function toBlocks({ content }: OwnOutcome): WireBlock[] {
  return content.map(part =>
    part.type === 'text' ? part : { type: 'image', mime_type: part.mimeType, data: part.data },
  )
}

export function toContents({ content }: OwnOutcome): Content[] {
  return content.map(part =>
    part.type === 'text'
      ? part
      : { type: 'image', mimeType: part.mimeType, bytes: Buffer.byteLength(part.data, 'base64') },
  )
}

/** The text for a model that is told later; images cannot be told so. */
export function toText({ content }: OwnOutcome): string {
  return content.map(part => (part.type === 'text' ? part.text : `(an image of type ${part.mimeType})`)).join('\n')
}

export const failed = (text: string): OwnOutcome => ({ content: [{ type: 'text', text }], isError: true })
