/** One line above everything while nothing comes from the server. */
import type { ConnectionStage } from './stream-connection.ts'
import { button, element, setAttribute, setText } from './dom.ts'

export type BannerView = {
  stage: ConnectionStage
  message: string
  /** The next attempt; null while one is made. */
  nextAt: number | null
  /** True before anything was there. */
  isFirst: boolean
}

export function connectionBanner(onRetry: () => void): { node: HTMLElement; show: (view: BannerView) => void } {
  const words = element('span', { role: 'status' })
  const retry = button('Try now', onRetry, { look: 'small' })
  const node = element('div', { class: 'banner' }, words, retry)
  node.hidden = true
  return {
    node,
    show({ stage, message, nextAt, isFirst }) {
      // A connection that is made at once is no news.
      const isQuiet = stage === 'live' || (stage === 'connecting' && nextAt === null && !isFirst)
      const text = {
        live: '',
        connecting: isFirst && nextAt === null ? 'Connecting…' : 'The connection is lost. Connecting again…',
        offline: 'No network. What is shown is what was there before.',
        waits: '',
        gone: '',
        ended: message === '' ? 'The server has ended.' : message,
      }[stage]
      node.hidden = isQuiet || text === ''
      retry.hidden = nextAt === null
      setText(words, node.hidden ? '' : text)
      setAttribute(node, 'data-stage', stage)
    },
  }
}
