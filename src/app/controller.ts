/**
 * Builds the parts that carry out actions: the only callers of the agent, and the only place with effects. They report
 * to the reducer. Each part gets only finished parts, and subscribes to later ones.
 */
import { createFold } from '../conversation/fold.ts'
import { createSentComments } from './changes/sent-comments.ts'
import { createEventParts } from './event-parts.ts'
import { openEditor } from './composer/draft-editor.ts'
import { createContext } from './context/context.ts'
import type { CommandApp } from './command-app.ts'
import type { Controller, ControllerOptions } from './controller-options.ts'
import { createCommandParts, createInput } from './screen-parts.ts'
import { createStart } from './start.ts'
import { createComposerParts, createPermissionParts, createSessionParts } from './conversation-parts.ts'
import { followWorktree } from './worktrees/turn-notice.ts'

export function createController(options: ControllerOptions): Controller {
  const { redraw, slashCommands, pickers } = options
  const context = createContext({ ...options, follow: pickers.follow })
  const { backend, state, dispatch, addProgramNotice } = context

  const eventParts = createEventParts(context, options)
  const composer = { ...eventParts, ...createComposerParts(eventParts, options) }
  const talk = { ...composer, ...createSessionParts(composer, options) }
  const parts = {
    ...talk,
    ...createPermissionParts(talk, options),
    ...createCommandParts(talk),
  }
  const { batcher, clock, turns, permissions, changes, composing } = parts
  const { openBoard } = options
  const app: CommandApp = { ...parts, openBoard, redraw, editDraft: text => openEditor(context, composing, text) }
  turns.runner.define((name, argument, typed) =>
    slashCommands.find(command => command.name === name)?.run(app, argument, typed),
  )
  const input = createInput(parts, options)

  followWorktree(context, batcher, () => turns.machine.isAtWork())
  if (changes) backend.subscribe(changes.onEvent)
  backend.subscribe(createSentComments(context))
  backend.subscribe(batcher.push)
  backend.holder?.onWatchers(names => dispatch({ type: 'watchers_changed', names }))
  backend.holder?.onResent(events => {
    batcher.flush()
    const fold = createFold()
    fold.add(events)
    dispatch({ type: 'conversation_resent', chat: fold.chat() })
    permissions.followResent()
  })
  return {
    start: createStart(parts),
    addProgramNotice,
    welcome: welcome => dispatch({ type: 'welcomed', welcome }),
    press: (key, raw) => input.press(key, raw),
    type: (text, raw) => input.type(text, raw),
    paste: (text, raw) => input.paste(text, raw),
    ignore: raw => input.ignore(raw),
    commands: context.commands,
    openPage: parts.pages.open,
    closePages: parts.pages.close,
    leave: parts.leaveThis,
    quit: parts.quitThis,
    stop: () => void (state().chat.open && turns.machine.stop()),
    sendWaiting: () => turns.queue.sendWaiting(),
    suspendAgent: () => void turns.life.suspend(),
    restartAgent: () => turns.begin(null),
    catchUp() {
      batcher.flush()
      clock.follow()
    },
    answerCall: permissions.answerCall,
    async outside() {
      const { createOutsideRequests } = await import('./outside/requests.ts')
      return createOutsideRequests(parts)
    },
  }
}
