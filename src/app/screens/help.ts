/** Shows the keys and commands, or a text, on the alternate screen, which leaves nothing in the scrollback. */
import type { AppContext } from '../context/context.ts'
import type { HelpContent, HelpMove, HelpScreen } from '../../state/screens/help-screen.ts'
import { printHelp } from '../commands/commands.ts'
import { helpSections } from '../../state/help.ts'
import type { ViewerAction } from '../../state/screens/viewer-screen.ts'

export type Helping = {
  open: () => void
  /** Shows a text, which may be unsanitised. */
  openText: (title: string, text: string) => void
  /** Does nothing while it is closed. */
  close: () => void
  /** Performs an action of the viewer's keys, if it has an effect here. */
  perform: (how: ViewerAction['how']) => void
}

const MOVES: ReadonlySet<string> = new Set<HelpMove>([
  'up',
  'down',
  'page_up',
  'page_down',
  'half_up',
  'half_down',
  'top',
  'bottom',
])

/** Without a screen, they are printed in the conversation. */
export function createHelping(context: AppContext, screen: HelpScreen | undefined): Helping {
  const { state, dispatch, keymap, commands } = context
  return { open, openText, close, perform }

  function open(): void {
    if (!screen) return printHelp(context)
    show(screen, { kind: 'keys', sections: helpSections(keymap.bindings, commands()) })
  }

  function openText(title: string, text: string): void {
    if (!screen) return context.show(`${title}:\n\n${text}`)
    show(screen, { kind: 'text', title, text })
  }

  function show(on: HelpScreen, content: HelpContent): void {
    if (state().viewing || state().leaving) return
    dispatch({ type: 'viewer_opened', viewing: 'help' })
    on.open(content)
  }

  function close(): void {
    if (state().viewing !== 'help') return
    dispatch({ type: 'viewer_opened', viewing: null })
    screen?.close()
  }

  function perform(how: ViewerAction['how']): void {
    if (isMove(how)) screen?.scroll(how)
    else if (how === 'leave' || how === 'close' || how === 'help') close()
  }
}

function isMove(how: string): how is HelpMove {
  return MOVES.has(how)
}
