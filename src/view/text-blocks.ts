import { sanitize } from '../text/sanitize.ts'
import { wrap } from '../text/wrap.ts'
export type MarkdownStyle = object
export type Block = { source: string; continues: boolean }
export type Blocks = { push(t: string): Block[]; end(): Block[]; readonly open: { block: Block } }
export function createBlocks(): Blocks {
  let open = ''
  let n = 0
  return {
    push(t) {
      open += t
      const out: Block[] = []
      for (;;) {
        const i = open.indexOf('\n')
        if (i < 0) return out
        out.push({ source: open.slice(0, i), continues: n++ > 0 })
        open = open.slice(i + 1)
      }
    },
    end() {
      const out = open === '' ? [] : [{ source: open, continues: n++ > 0 }]
      open = ''
      return out
    },
    get open() {
      return { block: { source: open, continues: n > 0 } }
    },
  }
}
export function renderBlock(block: Block, { width }: { width: number; style: MarkdownStyle }): string[] {
  return wrap(sanitize(block.source), width - 2).map(line => (line === '' ? '' : `  ${line}`))
}
export function renderOpen(
  open: { block: Block },
  o: { width: number; style: MarkdownStyle; maxRows: number },
): string[] {
  return open.block.source === '' ? [] : renderBlock(open.block, o).slice(-o.maxRows)
}
