/** Anthropic Messages, streamed. */
import { nextId, openStream, send, stopOf, type Speak } from './stream.ts'

export const speakAnthropic: Speak = async (step, outgoing, asked) => {
  const { input = 10, output = 5, cacheRead = 0, cacheWrite = 0 } = step.usage
  const event = (type: string, data: object) =>
    send(outgoing, `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`)
  let index = 0
  // Nothing is said before the first piece that says something: a cut or a gate may come first.
  let begun = false
  const begin = async () => {
    if (begun) return
    begun = true
    openStream(outgoing)
    const usage = {
      input_tokens: input,
      output_tokens: 1,
      cache_read_input_tokens: cacheRead,
      cache_creation_input_tokens: cacheWrite,
    }
    const message = { id: nextId('msg'), type: 'message', role: 'assistant', model: modelOf(asked), content: [] }
    await event('message_start', { message: { ...message, stop_reason: null, stop_sequence: null, usage } })
  }
  const block = async (content: object, deltas: AsyncIterable<object> | Iterable<object>) => {
    await begin()
    await event('content_block_start', { index, content_block: content })
    for await (const delta of deltas) await event('content_block_delta', { index, delta })
    await event('content_block_stop', { index })
    index += 1
  }

  for (const piece of step.pieces) {
    switch (piece.type) {
      case 'text':
        await block(
          { type: 'text', text: '' },
          piece.chunks.map(text => ({ type: 'text_delta', text })),
        )
        break
      case 'thought':
        await block({ type: 'thinking', thinking: '', signature: '' }, [
          ...piece.chunks.map(thinking => ({ type: 'thinking_delta', thinking })),
          { type: 'signature_delta', signature: 'signed' },
        ])
        break
      case 'tool': {
        const { id, name, fragments, gate } = piece
        await block({ type: 'tool_use', id, name, input: {} }, argumentsOf(fragments, gate))
        break
      }
      case 'wait':
        await piece.gate.pass()
        break
      case 'fail':
        await begin()
        await event('error', { error: { type: piece.kind, message: piece.message } })
        outgoing.end()
        return
      case 'cut':
        outgoing.destroy()
        return
    }
  }
  await begin()
  const delta = { stop_reason: stopOf(step), stop_sequence: null }
  await event('message_delta', { delta, usage: { output_tokens: output } })
  await event('message_stop', {})
  outgoing.end()
}

async function* argumentsOf(fragments: readonly string[], gate: { pass(): Promise<void> } | undefined) {
  for (const [at, partial] of fragments.entries()) {
    if (at > 0) await gate?.pass()
    yield { type: 'input_json_delta', partial_json: partial }
  }
}

/** Some agents price an answer by the model that it names. */
function modelOf(asked: unknown): string {
  const named = typeof asked === 'object' && asked !== null && 'model' in asked ? asked.model : null
  return typeof named === 'string' ? named : 'scripted'
}
