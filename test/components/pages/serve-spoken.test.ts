/** /serve with a screen reader: what is printed, and what is asked. */
import { describe, expect, test } from 'vitest'
import { askAboutServer } from '../../../components/pages/serve/spoken.ts'
import type { Question } from '../../../src/app/context/choice-prompt.ts'
import type { PageParts } from '../../../src/app/pages/pages.ts'
import { initialState } from '../../../src/state/state.ts'
import { fakeLocalServer, knownDevice, NOON, running, serveView, wantsIn } from '../../app/serve/fake-local-server.ts'
import { startup } from '../stage.ts'

function open(first: Parameters<typeof fakeLocalServer>[0]) {
  const server = fakeLocalServer(first)
  const printed: string[] = []
  const asked: Question[] = []
  const context = {
    state: () => initialState(startup, 0),
    now: () => NOON,
    hint: (words: string) => void printed.push(words),
    addProgramNotice: (_level: string, words: string) => void printed.push(words),
  }
  const choicePrompt = { ask: (question: Question) => void asked.push(question) }
  const parts = { context, choicePrompt, clipboard: { copy: async () => 'Copied.' } } as unknown as PageParts
  askAboutServer({ server }, parts)
  const take = (label: string): void => {
    const answer = asked.at(-1)?.answers.find(each => each.label === label)
    if (!answer) throw new Error(`no answer ${label}`)
    answer.run()
  }
  return { server, printed, asked, take }
}

describe('/serve, spoken', () => {
  test('prints where it is, the link and who is there', () => {
    const { printed } = open(serveView({ devices: [knownDevice({ isWatching: true })] }))
    expect(printed.join('\n')).toMatchInlineSnapshot(`
      "The server is at http://127.0.0.1:4747.
      For one device, which may answer and prompt, 100 seconds from now: http://127.0.0.1:4747/#pair=0123456789abcdefghijklmnopqrst
      Pixel 8 may answer and watches now."
    `)
  })

  test('waits for a server that starts', () => {
    const { server, printed, asked } = open({ phase: 'starting' })
    expect([printed, asked]).toEqual([[], []])
    server.change(running(serveView({})))
    expect(printed.join('\n')).toContain('The server is at http://127.0.0.1:4747.')
    expect(asked).toHaveLength(1)
  })

  test('asks about a device with its number, and no comes first', () => {
    const { server, asked, take } = open(serveView({ waiting: [wantsIn] }))
    expect(asked[0]?.title).toBe(
      'Pixel 8 wants to be paired; it may answer and prompt. The number is 481 920. Yes only if the device shows the same number.',
    )
    expect(asked[0]?.answers.map(({ label }) => label)).toEqual(['no', 'yes'])
    take('yes')
    expect(server.done).toEqual([{ do: 'answer', id: 'a1', yes: true }])
  })

  test('makes links, forgets devices and ends the server', () => {
    const { server, take } = open(serveView({ devices: [knownDevice({})] }))
    take('a new link for a device that may look')
    take('forget Pixel 8')
    take('end the server')
    expect(server.done).toEqual([{ do: 'pair', role: 'view' }, { do: 'revoke', device: 'd1' }, 'stop'])
  })

  test('says why there is none, and starts it', () => {
    const { server, printed, take } = open({ phase: 'failed', message: 'The port is taken.', hint: 'Use another.' })
    expect(printed).toEqual(['The port is taken. Use another.'])
    take('start the server')
    expect(server.done).toEqual(['start'])
  })
})
