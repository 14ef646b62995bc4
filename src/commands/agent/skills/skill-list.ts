/** The list of skills, to use or read one. */
import type { StartupContext, Skill } from '../../../agent/startup-context.ts'
import { nearest } from '../../../text/spelling/nearest.ts'
import { formatTokens } from '../../../text/format.ts'
import { folderLabel } from '../../../platform/project.ts'
import { showFile } from '../../../platform/shell/show-file.ts'
import { sentence } from '../../../text/sentence.ts'
import type { CommandApp } from '../../../app/command-app.ts'
import type { ChoiceAnswer } from '../../../app/context/choice-prompt.ts'
import { openInEditor } from '../../../app/context/open-in-editor.ts'
import { inOrder, skillCommandName } from '../../../app/context/commands/skill-commands.ts'

/** Opens the list or, with a name, the file of that skill. */
export async function openSkills({ context, choicePrompt, composing }: CommandApp, argument: string): Promise<void> {
  const { backend, state, addNotice, host } = context
  const reading = await backend.reading('at once')
  if (!reading) return
  const { items, read } = reading.skills
  if (argument !== '') return openNamed(argument, items)
  if (items.length === 0) return addNotice('info', 'There are no skills here.', HOW)
  const titles = {
    yes: 'skills',
    no: `skills, not used by ${backend.name}`,
    unknown: `skills, perhaps used by ${backend.name}`,
  }
  choicePrompt.ask({ title: titles[read], answers: inOrder(items).map(answerFor) })

  function answerFor(skill: Skill): ChoiceAnswer {
    const { name, from, path, loadedTokens, state: how } = skill
    const words = wordsOn(skill)
    const size = how === 'broken' ? '' : `~${formatTokens(loadedTokens)} tokens. `
    return {
      label: name,
      facts: [from],
      detail: words.join('; '),
      whole: `${words.map(sentence).join(' ')} ${size}${labelled(path)}`.trim(),
      run: () =>
        how === 'taken' ? composing.edit({ kind: 'setText', text: `/${skillCommandName(skill)} ` }) : void show(skill),
    }
  }

  /** Its purpose, or why it is not loaded, and further facts. */
  function wordsOn(skill: Skill): string[] {
    const { description, state: how, note } = skill
    if (how !== 'taken') return [`${how === 'broken' ? 'left out: it' : 'it'} ${labelled(note ?? '')}`]
    const late = isNew(skill, state().reading) ? 'new since the agent started: /restart loads it' : ''
    return [description, note === null ? '' : `it ${note}`, late].filter(part => part !== '')
  }

  async function openNamed(name: string, items: readonly Skill[]): Promise<void> {
    const query = name.toLowerCase()
    const found = items.find(skill => skill.name.toLowerCase() === query || skillCommandName(skill) === query)
    if (found) return show(found)
    const near = nearest(
      query,
      items.map(skill => skill.name),
    )
    const hint = near === null ? '/skills lists them.' : `Did you mean ${near}? /skills lists them.`
    addNotice('warn', `There is no skill ${name}.`, hint)
  }

  async function show({ path }: Skill): Promise<void> {
    await openInEditor(context, place => showFile(path, null, place))
  }

  /** Writes `~` for the home folder in all paths of a text. */
  function labelled(words: string): string {
    return host ? words.replaceAll(/\S+/g, word => folderLabel(word, host.home)) : words
  }
}

const HOW =
  'A skill is a folder with a SKILL.md, in .zot/skills, .claude/skills or .agents/skills of this folder or your home.'

/** True if the skill appeared after the agent's start, so that the agent does not know it. */
function isNew(skill: Skill, atStart: StartupContext | 'awaited' | null): boolean {
  if (atStart === null || atStart === 'awaited' || skill.state !== 'taken') return false
  return !atStart.skills.items.some(
    ({ name, path, state }) => name === skill.name && path === skill.path && state === 'taken',
  )
}
