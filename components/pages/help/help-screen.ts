import type { HelpScreen } from '../../../src/state/screens/help-screen.ts'
import { HelpReader, helpScreenPage } from './rows.ts'
import type { Theme } from '../../../src/style/theme.ts'
import type { AlternateScreen } from '../alternate-screen.ts'

/** The keys and commands, or a text, on the alternate screen. */
export function createHelpScreen({ screen, theme }: { screen: AlternateScreen; theme: () => Theme }): HelpScreen {
  let reader: HelpReader | null = null
  return {
    open(content) {
      reader = new HelpReader(content)
      const reading = reader
      screen.show({
        page: ({ keyNames }, size) => ({
          kind: 'help',
          page: helpScreenPage(reading, keyNames, { theme: theme(), size }),
        }),
        work: () => false,
        mouse(event) {
          if (event.kind !== 'wheel') return
          reading.scroll(event.by > 0 ? 'down' : 'up')
          screen.draw()
        },
      })
    },
    close: screen.leave,
    scroll(move) {
      reader?.scroll(move)
      screen.draw()
    },
  }
}
