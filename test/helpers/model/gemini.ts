/** The Gemini API, streamed. It sends a call with all of its arguments at once. */
import { openStream, send, stopOf, type Speak } from './stream.ts'

const stops: Record<string, string> = { max_tokens: 'MAX_TOKENS' }

export const speakGemini: Speak = async (step, outgoing) => {
  const { input = 10, output = 5, cacheRead = 0 } = step.usage
  const data = (value: object) => send(outgoing, `data: ${JSON.stringify({ modelVersion: 'scripted', ...value })}\n\n`)
  const part = (content: object, more: object = {}) =>
    data({ candidates: [{ index: 0, content: { role: 'model', parts: [content] }, ...more }] })
  let begun = false
  const begin = () => {
    if (!begun) openStream(outgoing)
    begun = true
  }

  for (const piece of step.pieces) {
    switch (piece.type) {
      case 'text':
        begin()
        for (const text of piece.chunks) await part({ text })
        break
      case 'thought':
        begin()
        for (const text of piece.chunks) await part({ text, thought: true })
        break
      case 'tool':
        begin()
        await piece.gate?.pass()
        await part({ functionCall: { name: piece.name, args: JSON.parse(piece.fragments.join('')) } })
        break
      case 'wait':
        await piece.gate.pass()
        break
      case 'fail':
        begin()
        await data({ error: { code: 500, status: piece.kind, message: piece.message } })
        outgoing.end()
        return
      case 'cut':
        outgoing.destroy()
        return
    }
  }
  begin()
  const usageMetadata = {
    promptTokenCount: input + cacheRead,
    candidatesTokenCount: output,
    cachedContentTokenCount: cacheRead,
    totalTokenCount: input + cacheRead + output,
  }
  await data({
    candidates: [{ index: 0, content: { role: 'model', parts: [] }, finishReason: stops[stopOf(step)] ?? 'STOP' }],
    usageMetadata,
  })
  outgoing.end()
}
