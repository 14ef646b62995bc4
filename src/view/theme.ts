/**
 * Colours have meanings; their values live here alone. The first theme uses the terminal's own sixteen colours, which
 * are readable on dark and on light backgrounds alike because the person chose them.
 */
import { Chalk } from 'chalk'
import type { MarkdownStyle } from '../markdown/style.ts'
import type { SafeText } from '../text/sanitize.ts'
import { trusted, type Paint, type Styled } from './styled.ts'

export type Theme = {
  /** The person's own marks and the caret. */
  accent: Paint
  strong: Paint
  dim: Paint
  running: Paint
  ok: Paint
  failed: Paint
  warning: Paint
  added: Paint
  removed: Paint
  /** Behind a line of a difference; what is coloured in it stays so. */
  addedLine: Paint
  removedLine: Paint
  /** What changed within such a line. */
  addedWord: Paint
  removedWord: Paint
  /** The chosen row of a list. */
  selected: Paint
  markdown: MarkdownStyle
  signs: Signs
}

/** One column wide in every terminal. */
export type Signs = {
  prompt: string
  done: string
  failed: string
  waiting: string
  stopped: string
  spinner: readonly string[]
  up: string
  down: string
  ellipsis: string
}

const unicodeSigns: Signs = {
  prompt: '›',
  done: '●',
  failed: '✗',
  waiting: '○',
  stopped: '⊘',
  spinner: ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'],
  up: '↑',
  down: '↓',
  ellipsis: '…',
}

/** 0 is no colour, 1 sixteen colours, 2 the 256, 3 all. */
export type ColorLevel = 0 | 1 | 2 | 3

function paint(add: (text: string) => string): Paint {
  return (text: SafeText | Styled) => trusted(text === '' ? '' : add(text))
}

export function createTheme(level: ColorLevel): Theme {
  const chalk = new Chalk({ level })
  return {
    accent: paint(chalk.cyan),
    strong: paint(chalk.bold),
    dim: paint(chalk.dim),
    running: paint(chalk.cyan),
    ok: paint(chalk.green),
    failed: paint(chalk.red),
    warning: paint(chalk.yellow),
    added: paint(chalk.green),
    removed: paint(chalk.red),
    addedLine: paint(text => text),
    removedLine: paint(text => text),
    addedWord: paint(chalk.underline),
    removedWord: paint(chalk.underline),
    selected: paint(chalk.bold),
    markdown: {
      heading: text => chalk.bold(text),
      strong: chalk.bold,
      emphasis: chalk.italic,
      strike: chalk.strikethrough,
      code: chalk.cyan,
      link: chalk.underline,
      quote: chalk.dim,
      rule: chalk.dim,
      listMark: chalk.dim,
      tableHeader: chalk.bold,
      tableRule: chalk.dim,
      dim: chalk.dim,
      syntax: {
        keyword: chalk.magenta,
        string: chalk.green,
        number: chalk.yellow,
        literal: chalk.yellow,
        comment: chalk.dim,
        title: chalk.blue,
        type: chalk.cyan,
        attribute: chalk.yellow,
        tag: chalk.blue,
        meta: chalk.dim,
        added: chalk.green,
        removed: chalk.red,
      },
      hyperlinks: false,
      unicode: true,
    },
    signs: unicodeSigns,
  }
}
