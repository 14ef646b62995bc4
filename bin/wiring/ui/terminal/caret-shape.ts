/** The caret's shape, which shows the mode of the vim editor. */
import type { AppStore } from '../../../../src/state/app-store.ts'
import { caretShape } from '../../../../src/state/composer/caret-shape.ts'
import type { Terminal } from '../../../../src/terminal/terminal.ts'

export function followCaret(store: AppStore, terminal: Pick<Terminal, 'shapeCaret'>, env: NodeJS.ProcessEnv): void {
  // Older consoles of Linux print a part of the sequence.
  if (env['TERM'] === 'linux' || env['TERM'] === 'dumb') return
  const follow = (): void => terminal.shapeCaret(caretShape(store.get()))
  store.subscribe(follow)
  follow()
}
