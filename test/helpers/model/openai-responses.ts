/** OpenAI Responses, streamed. */
import type { Piece } from './reply.ts'
import { nextId, openStream, send, stopOf, type Speak } from './stream.ts'

export const speakOpenAiResponses: Speak = async (step, outgoing, asked) => {
  const { input = 10, output = 5, cacheRead = 0 } = step.usage
  const id = nextId('resp')
  const done: object[] = []
  let begun = false
  const event = async (type: string, data: object) => {
    if (!begun) {
      begun = true
      openStream(outgoing)
      await event('response.created', { response: { id, status: 'in_progress', output: [] } })
    }
    await send(outgoing, `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`)
  }
  /** Announces an item, tells its parts, and gives it whole. */
  const item = async (announced: object, parts: () => Promise<object>) => {
    const at = { output_index: done.length }
    await event('response.output_item.added', { ...at, item: { status: 'in_progress', ...announced } })
    const whole = { status: 'completed', ...announced, ...(await parts()) }
    await event('response.output_item.done', { ...at, item: whole })
    done.push(whole)
  }
  const say = async (piece: Piece): Promise<void> => {
    const place = { output_index: done.length, item_id: nextId('item') }
    switch (piece.type) {
      case 'text':
        await item({ type: 'message', role: 'assistant', id: place.item_id, content: [] }, async () => {
          for (const delta of piece.chunks) {
            await event('response.output_text.delta', { ...place, content_index: 0, delta })
          }
          return { content: [{ type: 'output_text', text: piece.chunks.join(''), annotations: [] }] }
        })
        break
      case 'thought':
        await item({ type: 'reasoning', id: place.item_id, summary: [] }, async () => {
          await event('response.reasoning_summary_part.added', { ...place, summary_index: 0 })
          for (const delta of piece.chunks) {
            await event('response.reasoning_summary_text.delta', { ...place, summary_index: 0, delta })
          }
          return { summary: [{ type: 'summary_text', text: piece.chunks.join('') }] }
        })
        break
      case 'tool': {
        const { id: call, name, fragments, gate } = piece
        // Free text instead of arguments, where the agent has offered such a tool.
        const free = takesText(asked, name)
        const [type, key] = free ? ['custom_tool_call', 'input'] : ['function_call', 'arguments']
        const delta = free ? 'response.custom_tool_call_input.delta' : 'response.function_call_arguments.delta'
        await item({ type, id: place.item_id, call_id: call, ...named(name), [key]: '' }, async () => {
          for (const [at, fragment] of fragments.entries()) {
            if (at > 0) await gate?.pass()
            await event(delta, { ...place, delta: fragment })
          }
          return { [key]: fragments.join('') }
        })
        break
      }
      case 'wait':
        await piece.gate.pass()
        break
      case 'fail': {
        const error = { code: piece.kind, message: piece.message }
        await event('response.failed', { response: { id, status: 'failed', error } })
        break
      }
      case 'cut':
        outgoing.destroy()
        break
    }
  }

  for (const piece of step.pieces) {
    await say(piece)
    if (piece.type === 'cut') return
    if (piece.type === 'fail') return void outgoing.end()
  }
  const usage = {
    input_tokens: input + cacheRead,
    input_tokens_details: { cached_tokens: cacheRead },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input + cacheRead + output,
  }
  const short = stopOf(step) === 'max_tokens'
  const incomplete = short ? { incomplete_details: { reason: 'max_output_tokens' } } : {}
  const status = short ? 'incomplete' : 'completed'
  await event(`response.${status}`, { response: { id, status, output: done, usage, ...incomplete } })
  outgoing.end()
}

/** Whether the agent has offered this tool as one that takes free text. */
function takesText(asked: unknown, name: string): boolean {
  const tools = typeof asked === 'object' && asked !== null && 'tools' in asked ? asked.tools : null
  return (
    Array.isArray(tools) &&
    tools.some((tool: { type?: unknown; name?: unknown }) => tool.type === 'custom' && tool.name === name)
  )
}

/** A tool of an MCP server has its name in the namespace of the server, and one of a set, `set.tool`, in that of the set. */
function named(name: string): { name: string; namespace?: string } {
  const [, namespace, own] = /^(mcp__.+)__(.+)$/.exec(name) ?? /^(\w+)\.(\w+)$/.exec(name) ?? []
  return namespace !== undefined && own !== undefined ? { namespace, name: own } : { name }
}
