/** OpenAI chat completions, streamed. */
import { nextId, openStream, send, stopOf, type Speak } from './stream.ts'

const stops: Record<string, string> = { end_turn: 'stop', tool_use: 'tool_calls', max_tokens: 'length' }

export const speakOpenAiChat: Speak = async (step, outgoing) => {
  const { input = 10, output = 5, cacheRead = 0 } = step.usage
  const id = nextId('chatcmpl')
  const data = (value: object) =>
    send(
      outgoing,
      `data: ${JSON.stringify({ id, object: 'chat.completion.chunk', created: 0, model: 'scripted', ...value })}\n\n`,
    )
  const choice = (delta: object, reason: string | null = null) =>
    data({ choices: [{ index: 0, delta, finish_reason: reason }] })
  let index = 0
  let begun = false
  const begin = () => {
    if (!begun) openStream(outgoing)
    begun = true
  }

  for (const piece of step.pieces) {
    switch (piece.type) {
      case 'text':
        begin()
        for (const content of piece.chunks) await choice({ content })
        break
      case 'thought':
        begin()
        for (const text of piece.chunks) await choice({ reasoning_content: text })
        break
      case 'tool': {
        begin()
        const { id: call, name, fragments, gate } = piece
        await choice({ tool_calls: [{ index, id: call, type: 'function', function: { name, arguments: '' } }] })
        for (const [at, fragment] of fragments.entries()) {
          if (at > 0) await gate?.pass()
          await choice({ tool_calls: [{ index, function: { arguments: fragment } }] })
        }
        index += 1
        break
      }
      case 'wait':
        await piece.gate.pass()
        break
      case 'fail':
        begin()
        await data({ error: { type: piece.kind, message: piece.message } })
        outgoing.end()
        return
      case 'cut':
        outgoing.destroy()
        return
    }
  }
  begin()
  await choice({}, stops[stopOf(step)] ?? stopOf(step))
  const usage = {
    prompt_tokens: input + cacheRead,
    completion_tokens: output,
    total_tokens: input + cacheRead + output,
    prompt_tokens_details: { cached_tokens: cacheRead },
  }
  await data({ choices: [], usage })
  outgoing.end('data: [DONE]\n\n')
}
