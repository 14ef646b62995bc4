/** The list of the worktrees of this project, to open or discard one. */
import { folderLabel } from '../../../platform/project.ts'
import type { ListedWorktree } from '../../../worktrees/list.ts'
import { workFolder, type Worktree } from '../../../worktrees/record.ts'
import type { Worktrees } from '../../../worktrees/worktrees.ts'
import type { CommandApp } from '../../../app/command-app.ts'
import type { ChoiceAnswer } from '../../../app/context/choice-prompt.ts'
import { discardQuestion, discardText, worktreeState } from './worktree-words.ts'

/** Shows the list, narrowed by `filter`. */
export async function listWorktrees(
  { context, choicePrompt }: CommandApp,
  worktrees: Worktrees,
  filter: string,
): Promise<void> {
  const { host, conversations, hint, addNotice, now } = context
  await open(worktrees, filter)

  async function open(worktrees: Worktrees, filter: string): Promise<void> {
    hint('Looking for worktrees…')
    const found = await worktrees.list(host?.folder ?? '')
    context.dispatch({ type: 'hinted', hint: null })
    if (!found.ok) return hint(`There are no worktrees: ${found.why}.`)
    if (found.value.length === 0) return hint('This project has no worktrees: /spawn --worktree begins one.')
    choicePrompt.ask({
      title: 'worktrees of this project',
      filter,
      answers: found.value.map(listed => ({
        label: listed.worktree.branch,
        detail: `${worktreeState(listed, now())}, ${placeText(listed)}`,
        run: () => choose(worktrees, listed),
      })),
    })
  }

  function placeText({ worktree, isUsed }: ListedWorktree): string {
    const number = conversations?.numberIn(worktree.folder) ?? null
    return number !== null ? `conversation ${number}` : isUsed ? 'in use elsewhere' : 'no conversation'
  }

  function choose(worktrees: Worktrees, { worktree, isThere, isUsed }: ListedWorktree): void {
    const number = conversations?.numberIn(worktree.folder) ?? null
    if (number !== null) return void conversations?.show(number)
    if (isUsed) return hint('A conversation of another zotui, or one in the background, works there: end it first.')
    const there = { label: 'Open its conversation', detail: 'continues the last one there' }
    const away = { label: 'Discard', detail: 'asks first', run: () => void askDiscard(worktrees, worktree) }
    const answers: ChoiceAnswer[] = isThere ? [{ ...there, run: () => void go(worktree) }, away] : [away]
    const back = { label: 'Back', detail: 'to the list', run: () => void open(worktrees, '') }
    const place = folderLabel(worktree.folder, host?.home ?? '')
    choicePrompt.ask({ title: `${worktree.branch} in ${place}`, answers: [...answers, back] })
  }

  async function go(worktree: Worktree): Promise<void> {
    const options = { folder: workFolder(worktree), prompt: null, resumes: true, isShown: true }
    const reply = await conversations?.open(options)
    if (reply?.ok === false) addNotice('error', `No conversation was opened: ${reply.message}`)
  }

  async function askDiscard(worktrees: Worktrees, worktree: Worktree): Promise<void> {
    const discard = async (): Promise<void> => {
      const [level, text] = discardText(worktree, await worktrees.discard(worktree))
      addNotice(level, text)
    }
    choicePrompt.ask(discardQuestion(worktree, await worktrees.loss(worktree), () => void discard()))
  }
}
