/** Whatever happens to a conversation, and however often a page comes back, it shows what a new page shows. */
import { isDeepStrictEqual } from 'node:util'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { AgentEvent } from '../../../src/agent/event.ts'
import type { Viewer } from '../../../src/serve/hub/viewer.ts'
import { runs } from '../../helpers/length.ts'
import { anyEvents, conversation } from '../../conversation/arbitrary-events.ts'
import { timed } from '../../conversation/events.ts'
import { HubStage, KNOWN, questionOf, rowOf } from './stage.ts'
import { PageModel } from './page-model.ts'

const some = fc.oneof(anyEvents, conversation).map(events => timed(events))
const page = fc.nat({ max: 2 })

type Step =
  | { do: 'events'; events: readonly AgentEvent[] }
  | { do: 'flush' | 'replace' | 'lose' | 'connect' | 'tidy' }
  | { do: 'take' | 'leave' | 'come'; page: number }
  | { do: 'read'; page: number; lines: number }
  | { do: 'questions'; count: number }
  | { do: 'row'; title: string }

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('events' as const), events: some }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('flush' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('replace', 'lose', 'connect', 'tidy') }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constantFrom('take', 'leave', 'come'), page }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('read' as const), page, lines: fc.nat({ max: 3 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('questions' as const), count: fc.nat({ max: 3 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('row' as const), title: fc.constantFrom('a', 'b', 'c') }) },
)

class Run {
  readonly stage = new HubStage()
  readonly pages = [0, 1, 2].map(() => new PageModel(KNOWN))
  readonly viewers = new Map<number, Viewer>()
  isConnected = true

  constructor() {
    this.stage.connect()
    this.come(0)
    this.stage.begin()
  }

  come(at: number): void {
    const model = this.pages[at]
    if (!model || this.viewers.has(at)) return
    this.viewers.set(
      at,
      this.stage.conversations.join(model.request(), () => undefined),
    )
  }

  leave(at: number): void {
    const viewer = this.viewers.get(at)
    if (viewer) this.stage.conversations.leave(viewer)
    this.viewers.delete(at)
  }

  step(each: Step): void {
    const { stage } = this
    switch (each.do) {
      case 'events':
        return stage.events(each.events)
      case 'flush':
        return stage.conversations.flush()
      case 'replace':
        return stage.begin()
      case 'lose':
        this.isConnected = false
        return stage.conversations.gone('p')
      case 'connect':
        if (!this.isConnected) stage.connect()
        if (!this.isConnected) stage.begin()
        this.isConnected = true
        return undefined
      case 'tidy':
        stage.clock.now += 40_000
        return stage.conversations.tidy()
      case 'take':
        return this.pages[each.page]?.take(this.viewers.get(each.page)?.take() ?? [])
      case 'read':
        // The connection is lost after some lines.
        this.pages[each.page]?.take(this.viewers.get(each.page)?.take().slice(0, each.lines) ?? [])
        return this.leave(each.page)
      case 'leave':
        return this.leave(each.page)
      case 'come':
        return this.come(each.page)
      case 'questions': {
        const questions = Array.from({ length: each.count }, (_, at) => questionOf(`q${at}`, `<p>${each.count}</p>`))
        return void stage.take({ type: 'questions', conversation: 'k', questions })
      }
      case 'row':
        return void stage.take({ type: 'rows', rows: [rowOf({ title: each.title })] })
    }
  }

  /** All come back, and read to the end. */
  finish(): void {
    this.stage.clock.now += 1000
    if (!this.isConnected) this.step({ do: 'connect' })
    for (const at of this.pages.keys()) this.come(at)
    // A conversation that nobody looked at for long begins again.
    this.stage.begin()
    this.stage.conversations.flush()
    for (const at of this.pages.keys()) this.step({ do: 'take', page: at })
  }
}

test('a page that comes back, at any time and after any events, shows what a new one shows', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40, size: 'max' }), steps => {
      const run = new Run()
      for (const each of steps) run.step(each)
      for (const at of run.pages.keys()) run.come(at)
      run.stage.clock.now += 1000
      run.stage.conversations.flush()
      for (const at of run.pages.keys()) run.step({ do: 'take', page: at })
      const fresh = run.stage.fresh()
      for (const { conversations, questions, status, blocks } of run.pages) {
        expect(conversations).toEqual(fresh.conversations)
        if (!fresh.conversations.some(({ id }) => id === KNOWN)) continue
        expect(questions).toEqual(fresh.questions)
        // One that nobody followed for a while is not there yet.
        if (fresh.status === null) continue
        expect(status).toEqual(fresh.status)
        expect(
          blocks.filter((block, at) => fresh.blocks[at] && block && !isDeepStrictEqual(block, fresh.blocks[at])),
        ).toEqual([])
        expect(blocks).toHaveLength(fresh.blocks.length)
        expect(blocks.slice(-200)).toEqual(fresh.blocks.slice(-200))
      }
    }),
    runs(200),
  )
})
