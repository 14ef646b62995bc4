/** The help on its screen, without a terminal. */
import { expect, test } from 'vitest'
import type { PageSource } from '../../../components/pages/alternate-screen.ts'
import { createHelpScreen } from '../../../components/pages/help/help-screen.ts'
import { stateWith, theme } from '../../rows/stage.ts'

const rows = Array.from({ length: 30 }, (_, row): [string, string] => [`key ${row}`, 'does something'])

test('the help begins at its top whenever it is opened', () => {
  let source: PageSource | null = null
  const screen = createHelpScreen({
    screen: {
      isOpen: () => source !== null,
      show: shown => (source = shown),
      leave: () => (source = null),
      draw: () => undefined,
      mouse: () => undefined,
      pause: () => undefined,
      resume: () => undefined,
      redraw: () => undefined,
      onPage: null,
    },
    theme: () => theme,
  })
  const first = (): string => {
    const view = source?.page(stateWith(), { columns: 60, rows: 10 })
    return view?.kind === 'help' ? (view.page.body[0]?.text ?? '') : ''
  }

  screen.open({ kind: 'keys', sections: [{ title: 'Keys', of: 'key', rows }] })
  expect(first()).toBe('Keys')
  screen.scroll('bottom')
  expect(first()).toContain('key 21')
  screen.close()
  screen.open({ kind: 'keys', sections: [{ title: 'Keys', of: 'key', rows }] })
  expect(first()).toBe('Keys')
})
