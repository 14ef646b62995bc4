/** The conversations in the background, loaded when the user first asks for them. */
import type { Background } from '../../../src/app/context/background.ts'
import { statePath } from '../../../src/storage/log.ts'

/** `argv` is the command line of this zotui. Conversations that it starts have the same limits. */
export function createLazyBackground(home: string, argv: readonly string[]): Background {
  const load = async () => (await import('../../../src/background/list.ts')).createBackground(statePath(), home)
  return {
    list: async () => (await load()).list(),
    begin: async ({ prompt, model, ...start }) => {
      const { backgroundArguments } = await import('../../cli/background-arguments.ts')
      const { startBackground } = await import('../background/begin.ts')
      const reply = await startBackground({
        argv: backgroundArguments(argv, start),
        prompt: prompt === null ? null : { text: prompt, isTyped: true as const },
        ...(model !== undefined && { model }),
      })
      return reply.type === 'held' ? { ok: true, value: reply.id } : { ok: false, message: reply.message }
    },
    follow(id, onRow, onEnd) {
      let isStopped = false
      let stop: (() => void) | null = null
      const begin = async (): Promise<void> => {
        const background = await load()
        if (!isStopped) stop = background.follow(id, onRow, onEnd)
      }
      void begin()
      return () => {
        isStopped = true
        stop?.()
      }
    },
    answer: async (id, call, isAllowed) => (await load()).answer(id, call, isAllowed),
    rename: async (id, title) => (await load()).rename(id, title),
    stop: async id => (await load()).stop(id),
    end: async id => (await load()).end(id),
  }
}
