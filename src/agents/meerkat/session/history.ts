/** Converts the messages of `session/history` into events, with their times. Pure. Meerkat's own instructions are omitted. */
import { STOPS } from '../turn/stops.ts'
import { z } from 'zod'
import type { AgentEvent, AnswerContent, Content, EventOf } from '../../../agent/event.ts'
import { lookup } from '../../../text/lookup.ts'

const blockSchema = z.object({
  type: z.string(),
  text: z.string().optional(),
  media_type: z.string().optional(),
  /** Base64 of an image that is not kept as a blob. */
  data: z.unknown().optional(),
})
type HistoryBlock = z.infer<typeof blockSchema>

const contentSchema = z
  .union([z.string().transform(text => [{ type: 'text', text }]), z.array(blockSchema)])
  .transform((blocks): readonly HistoryBlock[] => blocks)

const created_at = z.string()

const messageSchema = z.discriminatedUnion('role', [
  z.object({
    role: z.literal('user'),
    created_at,
    content: contentSchema,
    /** Absent for what a user said. */
    transcript_role: z.string().optional(),
  }),
  z.object({
    role: z.literal('block_assistant'),
    created_at,
    blocks: z.array(z.object({ block_type: z.string(), data: z.looseObject({}).optional() })),
    stop_reason: z.string().optional(),
  }),
  z.object({
    role: z.literal('tool_results'),
    created_at,
    results: z.array(z.object({ tool_use_id: z.string(), content: contentSchema, is_error: z.boolean().optional() })),
  }),
  z.object({
    role: z.literal('system_notice'),
    created_at,
    body: z.string().optional(),
    blocks: z.array(z.object({ type: z.string(), summary: z.string().optional() })).optional(),
  }),
])
type HistoryMessage = z.infer<typeof messageSchema>
type HistoryMessageOf<Role extends HistoryMessage['role']> = Extract<HistoryMessage, { role: Role }>

/** The fields of a block of an answer, by its type. */
const spoken = z.object({ text: z.string() })
const toolUse = z.object({ id: z.string(), name: z.string(), args: z.unknown() })

/** This replaces the note that Meerkat adds at a fork, which says how the tools differ. */
const FORKED = 'The session was forked here.'

/** Makes events of the messages, oldest first. Ids of calls are unique within the history. What cannot be read is left out. */
export function foldHistory(messages: readonly unknown[]): AgentEvent[] {
  const history = new FoldedHistory()
  for (const message of messages) {
    const read = messageSchema.safeParse(message)
    if (read.success) history.add(read.data)
  }
  return history.end()
}

class FoldedHistory {
  readonly #events: AgentEvent[] = []
  /** Our ids of the calls, by those of the provider, which may use one again. */
  readonly #calls = new Map<string, string>()
  /** The context that the next prompt was sent with. */
  #before: string[] = []
  #isInTurn = false
  #step = 0
  /** The end of the step whose calls may still get their results. */
  #stop: EventOf<'step_ended'> | null = null
  #count = 0
  #at = 0

  add(message: HistoryMessage): void {
    const at = Date.parse(message.created_at)
    // The clock of the machine may have been set back.
    this.#at = Number.isNaN(at) ? this.#at : Math.max(this.#at, at)
    switch (message.role) {
      case 'user':
        return this.#user(message)
      case 'block_assistant':
        return this.#answer(message)
      case 'tool_results':
        return this.#results(message)
      case 'system_notice':
        return this.#notice(message)
    }
  }

  end(): AgentEvent[] {
    this.#endTurn()
    if (this.#before.length > 0) this.#notify(this.#before.join('\n\n'))
    return this.#events
  }

  #user({ content, transcript_role: role }: HistoryMessageOf<'user'>): void {
    const text = textOf(content)
    if (role === 'injected_context') {
      this.#endTurn()
      this.#before.push(text)
    } else if (role === 'compaction_summary') {
      this.#endTurn()
      this.#emit({ type: 'compaction_started', at: this.#at })
      this.#emit({ type: 'compaction_finished', at: this.#at, summary: text })
    } else {
      const images = content.flatMap(block => (block.type === 'image' ? [imageOf(block)] : []))
      this.#beginTurn(
        text,
        images.map(({ mimeType, bytes }) => ({ mimeType, bytes })),
      )
    }
  }

  #beginTurn(text: string, images: EventOf<'prompt_sent'>['images']): void {
    this.#endTurn()
    const before = this.#before
    this.#before = []
    this.#isInTurn = true
    this.#step = 0
    this.#emit({ type: 'prompt_sent', at: this.#at, text, images, ...(before.length > 0 && { before }) })
    this.#emit({ type: 'prompt_accepted', at: this.#at })
  }

  #answer({ blocks, stop_reason: stop = 'end_turn' }: HistoryMessageOf<'block_assistant'>): void {
    const at = this.#at
    // The prompt may have been cut away.
    if (!this.#isInTurn) this.#beginTurn('', [])
    this.#endStep()
    this.#step += 1
    this.#emit({ type: 'step_started', at, step: this.#step })
    this.#emit({ type: 'answer_started', at })
    const content: AnswerContent[] = []
    for (const { block_type: type, data } of blocks) {
      const call = type === 'tool_use' ? toolUse.safeParse(data).data : undefined
      const text = spoken.safeParse(data).data?.text ?? ''
      if (call) {
        const id = this.#newCall(call.id)
        this.#emit({ type: 'tool_called', at, id, name: call.name, arguments: call.args })
        content.push({ type: 'tool_call', id, name: call.name, arguments: call.args })
      } else if (text !== '') {
        this.#emit({ type: type === 'reasoning' ? 'thought_received' : 'text_received', at, text })
        if (type !== 'reasoning') content.push({ type: 'text', text })
      }
    }
    this.#emit({ type: 'answer_finished', at, content })
    this.#stop = { type: 'step_ended', at, stop: lookup(STOPS, stop) ?? stop }
  }

  #newCall(toolUseId: string): string {
    this.#count += 1
    const id = `history-${this.#count}`
    this.#calls.set(toolUseId, id)
    return id
  }

  #results({ results }: HistoryMessageOf<'tool_results'>): void {
    if (!this.#isInTurn) return
    for (const { tool_use_id: toolUseId, content, is_error: failed = false } of results) {
      const id = this.#calls.get(toolUseId)
      if (id === undefined) continue
      this.#calls.delete(toolUseId)
      this.#emit({ type: 'tool_started', at: this.#at, id })
      this.#emit({ type: 'tool_finished', at: this.#at, id, failed, content: content.map(contentOf) })
    }
    this.#endStep()
  }

  #notice({ body, blocks = [] }: HistoryMessageOf<'system_notice'>): void {
    const notes = blocks.map(({ type, summary }) => (type === 'fork_boundary' ? FORKED : (summary ?? '')))
    this.#notify([body ?? '', ...notes].filter(text => text !== '').join('\n'))
  }

  #endStep(): void {
    if (this.#stop) this.#emit({ ...this.#stop, at: this.#at })
    this.#stop = null
  }

  #endTurn(): void {
    if (!this.#isInTurn) return
    const at = this.#events.at(-1)?.at ?? this.#at
    if (this.#stop) this.#emit({ ...this.#stop, at })
    this.#stop = null
    this.#isInTurn = false
    this.#calls.clear()
    this.#emit({ type: 'turn_ended', at })
  }

  #notify(text: string): void {
    if (text !== '')
      this.#emit({ type: 'remark_made', at: this.#at, level: 'quiet', text, hint: null, markdown: false })
  }

  #emit(event: AgentEvent): void {
    this.#events.push(event)
  }
}

function textOf(content: readonly HistoryBlock[]): string {
  return content.flatMap(({ type, text }) => (type === 'text' && text !== undefined ? [text] : [])).join('\n')
}

/** A blob is known by its type only: its size is 0. */
function imageOf({ media_type: mimeType = '', data }: HistoryBlock): Extract<Content, { type: 'image' }> {
  return { type: 'image', mimeType, bytes: typeof data === 'string' ? Math.floor((data.length * 3) / 4) : 0 }
}

function contentOf(block: HistoryBlock): Content {
  if (block.type === 'image') return imageOf(block)
  if (block.type === 'structured') return { type: 'text', text: JSON.stringify(block.data, null, 2) }
  return { type: 'text', text: block.text ?? `[${block.type} that cannot be shown]` }
}
