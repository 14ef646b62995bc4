/** The board for people who use a screen reader: what there is, printed, and a list of what can be done. */
import type { BoardPageRequest, PageParts } from '../../../src/app/pages/pages.ts'
import { counted } from '../../../src/text/counted.ts'
import { oneLine, sanitize } from '../../../src/text/sanitize.ts'
import { factWords } from './about-rows.ts'
import { takingLines } from './doubt-rows.ts'
import { askOf, boardEntries, type BoardEntry } from './entries.ts'
import { hostWords, timeCell } from './list-rows.ts'
import { takeOver } from './taking.ts'

/** Milliseconds in which hosts that are being connected to are waited for, before what there is is printed. */
const PATIENCE = 2000

export function askAboutBoard(request: BoardPageRequest, parts: PageParts): void {
  const { board } = request
  const isReady = (): boolean => board.isComplete() && board.hosts().every(({ state }) => state !== 'connecting')
  if (isReady()) return tell(request, parts)
  const unsubscribe = board.onChange(() => {
    if (isReady()) once()
  })
  const late = setTimeout(once, PATIENCE)

  function once(): void {
    unsubscribe()
    clearTimeout(late)
    tell(request, parts)
  }
}

function tell(request: BoardPageRequest, { context, choicePrompt }: PageParts): void {
  const { board } = request
  const hosts = board.hosts()
  const entries = boardEntries(hosts, '')
  const problems = hosts.filter(({ state, problem }) => state !== 'connected' || problem !== '').map(hostWords)
  const head = entries.length === 0 ? 'No conversation runs.' : `${counted(entries.length, 'conversation')}.`
  const close = (): void => request.closed()
  context.addProgramNotice('info', [head, ...problems, ...entries.map(rowWords)].join('\n'))
  choicePrompt.ask({
    title: 'board',
    answers: [
      { label: 'close the board', detail: '', run: close },
      ...entries.flatMap(answersOf),
      ...entries.flatMap(actsOf),
    ],
    otherwise: close,
  })

  function rowWords(entry: BoardEntry): string {
    const { row } = entry
    const [question] = row.questions
    const asks = question ? `. It asks: ${oneLine(sanitize(question.title))}` : ''
    const time = timeCell(entry, context.now())
    return `${nameOf(entry)}: ${factWords(entry, request)}${time === '' ? '' : `, ${time}`}${asks}`
  }

  /** All of the question is read before the answer can be given. */
  function answersOf(entry: BoardEntry) {
    const ask = askOf(entry)
    if (!ask || entry.isStale) return []
    const { id, digest, text, answers, note } = ask.question
    const give = async (allow: boolean): Promise<void> => {
      const reply = await board.act(entry.host.name, entry.row.id, { do: 'answer', question: id, digest, allow })
      context.hint(reply.ok ? (allow ? 'Allowed once.' : 'Refused.') : oneLine(sanitize(reply.message)))
      close()
    }
    const askFor = (): void => {
      context.addProgramNotice('info', [text, note].filter(part => part !== '').join('\n'))
      choicePrompt.ask({
        title: nameOf(entry),
        answers: [
          { label: 'leave it', detail: '', run: close },
          ...(answers.includes('refuse') ? [{ label: 'refuse', detail: '', run: () => void give(false) }] : []),
          ...(answers.includes('allow') ? [{ label: 'allow once', detail: '', run: () => void give(true) }] : []),
        ],
        otherwise: close,
      })
    }
    return [{ label: `answer ${nameOf(entry)}`, detail: oneLine(sanitize(ask.question.title)), run: askFor }]
  }

  /** What another zotui has open: what happens is read before a yes. */
  function takesOf(entry: BoardEntry) {
    if (entry.isStale) return []
    const take = async (opens: boolean): Promise<void> => {
      context.hint(`Asking the zotui that has ${nameOf(entry)}.`)
      const taken = await takeOver(board, entry)
      const why = taken.ok && opens ? await request.open(entry.host.name, taken.row) : taken.ok ? null : taken.why
      if (why !== null) context.hint(why)
      else if (!opens) context.hint(`${nameOf(entry)} is in the background.`)
      close()
    }
    const ask = (opens: boolean, label: string): void => {
      context.addProgramNotice(
        'info',
        takingLines(entry, request.label)
          .map(line => oneLine(sanitize(line)))
          .join('\n'),
      )
      choicePrompt.ask({
        title: nameOf(entry),
        answers: [
          { label: 'leave it', detail: '', run: close },
          { label, detail: '', run: () => void take(opens) },
        ],
        otherwise: close,
      })
    }
    return [
      { label: `show ${nameOf(entry)} here`, detail: '', run: () => ask(true, 'show it here') },
      { label: `move ${nameOf(entry)} to the background`, detail: '', run: () => ask(false, 'move it') },
    ]
  }

  function actsOf(entry: BoardEntry) {
    const { host, row } = entry
    const open = async (): Promise<void> => {
      const why = await request.open(host.name, row)
      if (why !== null) context.hint(why)
      close()
    }
    const stop = async (): Promise<void> => {
      const reply = await board.act(host.name, row.id, { do: 'stop' })
      context.hint(reply.ok ? `Stopping ${nameOf(entry)}.` : oneLine(sanitize(reply.message)))
      close()
    }
    const move = async (): Promise<void> => {
      if (request.background) context.hint(await request.background(row))
      close()
    }
    const isMovable = request.background !== null && row.kind === 'ui' && host.name === ''
    const opens = row.can.includes('background')
      ? takesOf(entry)
      : [
          { label: `open ${nameOf(entry)}`, detail: '', run: () => void open() },
          ...(isMovable
            ? [{ label: `move ${nameOf(entry)} to the background`, detail: '', run: () => void move() }]
            : []),
        ]
    return [
      ...opens,
      ...(row.can.includes('stop') ? [{ label: `stop ${nameOf(entry)}`, detail: '', run: () => void stop() }] : []),
    ]
  }
}

function nameOf({ row }: BoardEntry): string {
  return oneLine(sanitize(row.title || 'new conversation'))
}
