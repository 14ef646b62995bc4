/** The keys that stop and exit. Their effect depends on what is running, and no press loses a draft. */
import { edit } from '../../composer/editor.ts'
import { hasTakenPrompts } from '../../conversation/queries/session/session-entries.ts'
import { othersAtWork } from '../../state/conversations/conversations.ts'
import type { AppContext } from '../context/context.ts'
import type { EventBatcher } from '../events/batcher.ts'
import type { Leaving } from '../context/leaving.ts'
import type { Branching } from '../turns/branching.ts'
import type { Resuming } from '../turns/resuming.ts'
import type { SideQuestions } from '../side/side-questions.ts'
import type { Turns } from '../turns/turns.ts'
import type { Sending } from '../turns/sending.ts'
import type { ShellCommand } from '../turns/shell-command.ts'

/** Milliseconds in which an agent that does not stop must show that it is alive. */
const PING_WAIT = 2000

export type Stopping = {
  /** Esc by default. */
  stop: () => void
  /** Ctrl+C by default. */
  interrupt: () => void
  /** Ctrl+D by default. */
  exitOrDelete: () => void
}

export type StoppingParts = {
  context: AppContext
  turns: Turns
  sending: Pick<Sending, 'archiveDraft'>
  shell: Pick<ShellCommand, 'stop'>
  batcher: Pick<EventBatcher, 'subscribe'>
  leaving: Pick<Leaving, 'leave' | 'quit'>
  branching: Pick<Branching, 'rewind'>
  resuming: Pick<Resuming, 'stop'>
  /** The side question; absent if none can be asked. */
  side: Pick<SideQuestions, 'stop'> | undefined
}

export function createStopping({
  context,
  turns,
  sending,
  shell,
  batcher,
  leaving,
  branching,
  resuming,
  side,
}: StoppingParts): Stopping {
  const { backend, state, dispatch, hint, keyed } = context
  // The hint helps to decide between waiting and killing.
  batcher.subscribe(events => {
    if (events.some(event => event.type === 'abort_overdue')) void sayIfAlive()
  })
  return { stop, interrupt, exitOrDelete }

  function stop(): void {
    const { editor, armed, noting } = state()
    if (noting) return leaveNote()
    if (stopBesides() || turns.machine.stop()) return
    if (editor.text === '') return backOrHint()
    if (armed === 'clear_draft') return sending.archiveDraft()
    hint(`${keyed('{composer.stop} again clears the draft')}${keyed('; {composer.up} brings it back')}.`, 'clear_draft')
  }

  /** Stops what runs beside the turn. */
  function stopBesides(): boolean {
    return side?.stop() || resuming.stop() || shell.stop() || context.hooks?.prompts.stop() === true || stopStart()
  }

  /** Stops the newest start on another machine. */
  function stopStart(): boolean {
    const start = [...context.starts].at(-1)
    start?.abort()
    return start !== undefined && context.starts.delete(start)
  }

  /** Makes the note a prompt. Its text stays. */
  function leaveNote(): void {
    dispatch({ type: 'note_left' })
    hint(keyed('This is a prompt now: {composer.submit} sends it.'))
  }

  /** If there is nothing to stop or to clear, Esc goes back in the conversation. */
  function backOrHint(): void {
    const { chat, armed } = state()
    const canGoBack = context.sessionId() !== null && hasTakenPrompts(chat)
    const now = chat.agent.phase === 'starting' ? 'The agent is starting.' : 'Nothing is running.'
    if (!canGoBack) return hint(`${now} ? shows all keys.`)
    if (armed === 'rewind') return branching.rewind('')
    hint(`${now}${keyed(' {composer.stop} again goes back to an earlier prompt.')}`, 'rewind')
  }

  /** The first press never exits, and the third always does. */
  function interrupt(): void {
    const { chat, editor, armed, leaving: isLeaving } = state()
    if (isLeaving || armed === 'kill') return void leaving.quit()
    if (stopBesides()) return
    if (chat.open?.abortOverdue && !turns.machine.isReplacing()) return void turns.life.killAndRestart()
    if (chat.open?.aborting)
      return hint(
        `${backend.name} has not stopped yet${keyed(': {composer.interrupt} again kills it and exits')}.`,
        'kill',
      )
    if (turns.machine.stop()) return
    if (editor.text !== '') return sending.archiveDraft()
    if (armed === 'exit') return void leaving.leave()
    const others = othersAtWork(state())
    hint(
      others > 0 ? exitHint(others, '{composer.interrupt}') : keyed('Press {composer.interrupt} again to exit.'),
      'exit',
    )
  }

  function exitOrDelete(): void {
    const { chat, editor, armed } = state()
    if (editor.text !== '')
      return dispatch({ type: 'edited', editor: edit(editor, { kind: 'deleteRight' }, context.composerWidth()) })
    // An attached conversation continues without us.
    const isWorking = chat.open !== null && !backend.holder
    const movable = context.conversations?.movable().length ?? 0
    // /exit asks whether others continue in the background, too.
    if (movable > (isWorking ? 1 : 0)) return turns.command('exit')
    const others = othersAtWork(state())
    if ((!isWorking && others === 0) || armed === 'exit') return void leaving.leave()
    if (others > 0) return hint(exitHint(others + (isWorking ? 1 : 0), '{composer.exit_or_delete}'), 'exit')
    const other = movable > 0 ? '; /exit asks first' : ''
    hint(`${keyed('The agent is working: {composer.exit_or_delete} again stops it and exits')}${other}.`, 'exit')
  }

  function exitHint(working: number, key: string): string {
    const words = working === 1 ? 'Another conversation works' : `${working} conversations work`
    return `${words}: ${keyed(`${key} again stops ${working === 1 ? 'it' : 'them'} and exits`)}; /exit asks.`
  }

  async function sayIfAlive(): Promise<void> {
    const alive = await backend.ping(PING_WAIT)
    if (!state().chat.open?.abortOverdue || alive === null) return
    hint(
      alive ? `${backend.name} still responds: its command may be slow to end.` : `${backend.name} no longer responds.`,
    )
  }
}
