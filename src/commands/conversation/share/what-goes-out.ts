/** What readers of a share get, in words: before the person makes its link. Pure. */
import type { Transcript, TranscriptPart, TranscriptTurn } from '../../../export/schema.ts'
import { counted } from '../../../text/counted.ts'
import { inlineCode } from '../../../text/fence.ts'

/** As Markdown. `folder` is as the person sees it. */
export function whatGoesOut({ title, entries }: Transcript, folder: string): string {
  const turns = entries.filter(entry => entry.kind === 'turn')
  const parts = turns.flatMap(partsOf)
  const tools = parts.filter(part => part.kind === 'tool')
  const files = new Set([
    ...tools.flatMap(({ diffs = [], locations = [] }) => [...diffs, ...locations].map(({ path }) => path)),
    ...turns.flatMap(turn => (turn.files ?? []).map(({ path }) => path)),
  ])
  const counts = [
    counted(turns.filter(({ prompt }) => prompt !== '').length, 'prompt'),
    counted(parts.filter(({ kind }) => kind === 'text').length, 'answer'),
    counted(tools.length, 'call'),
    counted(turns.flatMap(imagesOf).length, 'image'),
    counted(files.size, 'named file'),
  ].filter(text => !text.startsWith('0 '))
  return [
    '**Whoever has the link reads all of this conversation**, and what follows in it until the link ends:',
    '',
    `- its title ${inlineCode(title === '' ? '(none yet)' : title)} and its folder ${inlineCode(folder)}`,
    `- ${counts.length === 0 ? 'nothing else yet' : counts.join(', ')}, with all outputs and changes`,
    '',
    'Masked are only the values of variables that are named like keys. A password or a key that the agent has read elsewhere goes out.',
    'Readers see no other conversation.',
  ].join('\n')
}

function partsOf({ parts }: TranscriptTurn): readonly Exclude<TranscriptPart, { kind: 'task' }>[] {
  return parts.flatMap(part => (part.kind === 'task' ? part.turns.flatMap(turn => turn.parts) : [part]))
}

function imagesOf({ images, parts }: TranscriptTurn): readonly unknown[] {
  const steered = parts.flatMap(part => (part.kind === 'steer' ? part.images : []))
  return [...images, ...steered]
}
