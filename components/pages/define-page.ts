/** Opens any page on the alternate screen: keeps its state, and passes it the keys, the text and the mouse. */
import type { PageParts } from '../../src/app/pages/pages.ts'
import type { EditCommand } from '../../src/composer/editor.ts'
import type { AppStore } from '../../src/state/app-store.ts'
import { helpKeyRows } from '../../src/state/help.ts'
import type { Keymap } from '../../src/state/keymap.ts'
import { createStore } from '../../src/state/store.ts'
import type { Theme } from '../../src/style/theme.ts'
import type { Size } from '../../src/text/lines/width.ts'
import { lookup } from '../../src/text/lookup.ts'
import type { AlternateScreen, PageSource } from './alternate-screen.ts'
import type { OpenPage, Page, PageComponent, SpokenLook } from './page.ts'
import type { PageInput } from './page-input.ts'
import type { PageKeys } from './page-keys.ts'
import { rowsOfPage } from './page-rows.ts'

/** What pages are drawn on and from. */
export type PageScreen = {
  store: AppStore
  screen: Pick<AlternateScreen, 'show' | 'changed'>
  /** The terminal's size. */
  size: Readonly<Size>
  theme: () => Theme
  keymap: Keymap
}

/** A page in the table of the pages, without the types that only its own folder knows. */
export type DefinedPage<Request> = {
  keys: PageKeys<string>
  field: PageKeys<string> | null
  /** Loads its component. */
  load: () => Promise<void>
  open: (request: Request, on: PageScreen, parts: PageParts, around: AroundPage) => RunningPage
  spoken: (request: Request, parts: PageParts, look: SpokenLook) => void
}

/** What a page does with itself and with others. `close` is called when it closes itself. */
export type AroundPage = Pick<OpenPage<never, never>, 'close' | 'openOver'>

export type RunningPage = {
  /** The name of its keys. */
  context: () => string
  /** Draws it, also again when a page over it has been closed. */
  show: () => void
  /** Does an action of its keys. */
  perform: (how: string) => void
  /** Takes typed text if a text field is open; otherwise returns false. */
  type: (text: string) => boolean
  /** Edits the text of an open text field; otherwise returns false. */
  edit: (command: EditCommand) => boolean
  /** Called when it has been closed. */
  closed: () => void
}

export function definePage<State, Move extends string, Work extends string, Reading, Request>(
  page: Page<State, Move, Work, Reading, Request>,
): DefinedPage<Request> {
  let component: PageComponent<Reading> | null = null
  /** What stays of the page in each conversation. */
  const kept = new WeakMap<PageParts, Partial<State>>()
  return { keys: page.keys, field: page.field?.keys ?? null, load, open, spoken: page.spoken }

  async function load(): Promise<void> {
    component = await page.load()
  }

  function open(request: Request, on: PageScreen, parts: PageParts, around: AroundPage): RunningPage {
    const { close } = around
    const { store, screen, size, theme, keymap } = on
    const keys = helpKeyRows(keymap.bindings.filter(({ context }) => context === page.keys.context))
    const state = createStore(page.initial(request, kept.get(parts) ?? {}))
    const reader = page.reader(parts, request)
    const read = (app = store.get(), seen = size): Reading =>
      reader(state.get(), app, { theme: theme(), size: seen, keys })
    const reading = createStore(read())
    const effects = page.effects(
      { state: state.get, reading: () => read(), shown: reading.get, set: state.set, ...around },
      parts,
      request,
    )
    effects.opened?.()
    state.subscribe(screen.changed)
    let context = page.keys.context
    let isOpen = true
    state.subscribe(followContext)
    const source: PageSource = {
      page(app, seen) {
        reading.set(read(app, seen))
        return {
          rows: () => rowsOfPage(page.rows(reading.get())),
          caret: page.caret?.(reading.get()) ?? null,
          element: make => component && make(component, reading),
        }
      },
      work: effects.work ?? (() => false),
      mouse: take,
    }
    return {
      context: () => context,
      show: () => screen.show(source),
      perform(how) {
        if (store.get().hint !== null) store.dispatch({ type: 'hinted', hint: null })
        const named = [...page.keys.rows, ...(page.field?.keys.rows ?? [])].find(row => row.how === how)?.how
        if (named === undefined) return
        if (isWork(named)) lookup<() => void>(effects.works, named)?.()
        else take({ kind: 'move', move: named })
      },
      type(text) {
        if (page.takesText?.(state.get()) !== true) return false
        take({ kind: 'text', text })
        return true
      },
      edit(command) {
        if (!hasField()) return false
        take({ kind: 'text', text: '', edit: command })
        return true
      },
      closed() {
        isOpen = false
        if (page.kept) kept.set(parts, page.kept(state.get()))
        effects.closed?.()
      },
    }

    function hasField(): boolean {
      return page.field?.isOpen(state.get()) === true
    }

    /** Keys mean other things while a text field is open. */
    function followContext(): void {
      const next = page.field && hasField() ? page.field.keys.context : page.keys.context
      if (next === context || !isOpen) return
      context = next
      store.dispatch({ type: 'page_shown', page: context })
    }

    function isWork(how: Move | Work): how is Work {
      return Object.hasOwn(effects.works, how)
    }

    function take(input: PageInput<Move>): void {
      const next = page.after(read(), input)
      if (next === null) return close()
      state.set(next)
      effects.moved?.()
    }
  }
}
