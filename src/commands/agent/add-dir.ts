/** `/add-dir`: opens a folder beside the session's to the agent, for this session, and closes one again. Only the user can. */
import type { CommandApp } from '../../app/command-app.ts'
import { folderLabel } from '../../platform/project.ts'
import { oneLine, sanitize } from '../../text/sanitize.ts'
import { sentence } from '../../text/sentence.ts'
import { slashCommand } from '../slash-command.ts'

type AddDirContext = CommandApp['context']

export const addDir = slashCommand({
  name: 'add-dir',
  aliases: ['add-folder'],
  argument: '[path]',
  help: 'open another folder to the agent for this session; without a path, list and close them',
  group: 'agent',
  needs: ['host'],
  abilities: ['setFolders'],
  needsIdle: true,
  opensList: argument => argument === '',
  run: (app, argument) => (argument === '' ? list(app) : open(app.context, argument)),
})

function list({ context, choicePrompt }: CommandApp): void {
  const { state, hint } = context
  const { folders } = state().chat
  if (folders.length === 0)
    return hint('No other folder is open. /add-dir PATH opens one to the agent for this session.')
  const answers = folders.map(folder => ({
    label: shown(context, folder),
    detail: 'close it',
    run: () =>
      void use(
        context,
        folders.filter(each => each !== folder),
        { now: `Closed ${shown(context, folder)}.`, later: closedLater(context, folder) },
      ),
  }))
  choicePrompt.ask({ title: 'add-dir: close which one?', answers })
}

async function open(context: AddDirContext, path: string): Promise<void> {
  const { host, state, addProgramNotice, hint } = context
  const { folders } = state().chat
  const opened = await host?.openFolder?.(path)
  if (!opened) return addProgramNotice('error', 'Folders of another machine cannot be opened.')
  if (!opened.ok) return addProgramNotice('error', `${path} cannot be opened: it ${opened.reason}.`)
  if (folders.includes(opened.path)) return hint(`${shown(context, opened.path)} is open already.`)
  const words = { now: openedWords(context, opened.path), later: openedLater(context, opened.path) }
  await use(context, [...folders, opened.path], words)
}

async function use(
  { backend, addProgramNotice, checkpoints, settings }: AddDirContext,
  folders: readonly string[],
  words: { now: string; later: string },
): Promise<void> {
  const reply = await backend.setFolders(folders)
  if (!reply.ok) return addProgramNotice('error', `The folders were not changed: ${sentence(reply.message)}`)
  if (reply.value === null) addProgramNotice('info', words.now)
  else addProgramNotice('warn', `${words.later} The agent did not take it now: ${sentence(reply.value)}`)
  // The next prompt waits for them otherwise.
  if (settings.values().checkpoints) await checkpoints?.read(folders)
}

const openedLater = (context: AddDirContext, folder: string): string =>
  `${shown(context, folder)} is open from the next start of ${context.backend.name} on (/restart). Until then it does not work there.`

const closedLater = (context: AddDirContext, folder: string): string =>
  `${shown(context, folder)} is closed from the next start of ${context.backend.name} on (/restart). Until then it still works there.`

/** What holds there. An agent with modes of its own has its own rules for it, too. */
function openedWords(context: AddDirContext, folder: string): string {
  const { backend, settings, state } = context
  const isHeld = settings.values().sandbox !== 'off' || state().chat.permissionMode === 'contained'
  const isOwn = backend.abilities.has('startIn')
  const asIn = isOwn
    ? `${backend.name} works there, too.`
    : 'Files there are read and edited as those of the folder; commands there ask.'
  const held = isOwn
    ? ' The sandbox keeps it from there unless the setting sandboxWrite has it.'
    : ' The sandbox does not open it: a command that needs it asks.'
  const sandbox = isHeld ? held : ''
  return `Opened ${shown(context, folder)} for this session. ${asIn}${sandbox}`
}

const shown = ({ host }: AddDirContext, folder: string): string =>
  oneLine(sanitize(folderLabel(folder, host?.home ?? '')))
