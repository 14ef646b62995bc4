import { Box } from 'ink'
import { memo, type ReactNode } from 'react'
import type { BelowComposer, LiveZone } from './screen/zone-layout.ts'
import type { KeySource } from '../src/terminal/input/input.ts'
import { ConversationNews } from './news/ConversationNews.tsx'
import { CompletionPopup } from './popup/CompletionPopup.tsx'
import { Composer } from './composer/Composer.tsx'
import { Header } from './header/Header.tsx'
import type { Keyboard } from './keyboard.ts'
import { KeyboardInput } from './KeyboardInput.tsx'
import { KeyDebug } from './key-debug/KeyDebug.tsx'
import { OpenBlock } from './answer/OpenBlock.tsx'
import { Answers, PermissionPrompt } from './question/PermissionPrompt.tsx'
import { Picker } from './picker/Picker.tsx'
import { PromptQueue } from './queue/PromptQueue.tsx'
import { Rows } from './Rows.tsx'
import { StatusLine } from './status/StatusLine.tsx'
import { ToolPanel } from './tool/ToolPanel.tsx'
import { KeySourceContext } from './use-input.ts'
import type { View } from './screen/view.ts'
import { WorkingLine } from './working/WorkingLine.tsx'

type Props = {
  keys: KeySource
  keyboard: Keyboard
  /** The component that draws a `View`. */
  children: ReactNode
}

/** The root component: input and screen. */
export function App({ keys, keyboard, children }: Props): ReactNode {
  return (
    <KeySourceContext value={keys}>
      <KeyboardInput keyboard={keyboard} />
      {children}
    </KeySourceContext>
  )
}

export function viewOf(view: View): ReactNode {
  switch (view.kind) {
    case 'live':
      return <Live zone={view.zone} />
    case 'page':
      return view.page.element((Component, reading) => <Component reading={reading} />)
  }
}

/** The live zone from the top. A new part also needs a share of the rows in `components/screen/zone-layout.ts`. */
function Live({ zone: { open, working, composer, below } }: { zone: LiveZone }): ReactNode {
  return (
    <>
      {open.map(({ kind, key, gap, rows }) => {
        const Component = openComponents[kind]
        return <Component key={key} gap={gap} rows={rows} />
      })}
      <Working {...working} />
      {composer.kind === 'question' ? <PermissionPrompt {...composer} /> : <Composer {...composer} />}
      {below && <BelowPanel below={below} />}
    </>
  )
}

const openComponents = { header: Header, text: OpenBlock, panel: ToolPanel, omitted: OpenBlock } as const

const Working = memo(function Working({ gap, line, command, queue, news }: LiveZone['working']): ReactNode {
  return (
    <Box flexDirection="column" marginTop={gap ? 1 : 0}>
      {line !== null && <WorkingLine text={line} />}
      {command !== null && <WorkingLine text={command} />}
      {queue !== null && <PromptQueue text={queue} />}
      {news !== null && <ConversationNews text={news} />}
    </Box>
  )
})

const BelowPanel = memo(function BelowPanel({ below }: { below: BelowComposer }): ReactNode {
  switch (below.kind) {
    case 'status':
      return <StatusLine text={below.text} custom={below.custom} />
    case 'hint':
      return <Rows rows={below.rows} />
    case 'popup':
      return <CompletionPopup rows={below.rows} />
    case 'picker':
      return <Picker rows={below.rows} />
    case 'question':
      return <Answers rows={below.rows} />
    case 'key-debug':
      return <KeyDebug title={below.title} rows={below.rows} />
  }
})
