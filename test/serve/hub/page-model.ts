/** A page as it should be written: what it has after the lines of a stream. */
import type { PageConversation, PageLine, PageStatus } from '../../../src/serve/page-lines.ts'
import type { ServedQuestion } from '../../../src/published/protocol.ts'
import type { ViewerRequest } from '../../../src/serve/hub/viewer.ts'

type ShownThere = { id: string; html: string; version: number }

export class PageModel {
  readonly watch: string | null
  known = 0
  since = 0
  conversations: readonly PageConversation[] = []
  questions: readonly ServedQuestion[] = []
  status: PageStatus | null = null
  blocks: (ShownThere | null)[] = []
  ended: string | null = null
  lines = 0

  constructor(watch: string | null) {
    this.watch = watch
  }

  request(): ViewerRequest {
    const { watch, known, since } = this
    return { device: { id: 'd', name: 'Pixel 8', role: 'steer' }, only: null, watch, known, since }
  }

  take(lines: readonly PageLine[]): void {
    for (const line of lines) this.#take(line)
  }

  #take(line: PageLine): void {
    this.lines += 1
    this.known = line.n
    this.since = line.n
    if (line.type === 'conversations') this.conversations = line.conversations
    else if (line.type === 'end') this.ended = line.message
    else if (line.type === 'hello' || line.type === 'alive' || line.conversation !== this.watch) return
    else if (line.type === 'questions') this.questions = line.questions
    else if (line.type === 'status') this.status = line.status
    else {
      if (line.isAnew) this.blocks = []
      this.blocks = Array.from({ length: line.total }, (_, at) => this.blocks[at] ?? null)
      for (const { index, id, html, version } of line.blocks) this.blocks[index] = { id, html, version }
    }
  }
}
