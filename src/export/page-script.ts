/**
 * The search of an exported page: it marks the matches, goes from one to the next and opens what holds it. Without it, or
 * in a browser that cannot mark, the page reads the same and the browser's own search works. It also lets the keyboard reach
 * what scrolls, where the browser does not do so itself.
 */
export const pageScript = `
const box = document.querySelector('input'), said = document.querySelector('output'), toggle = document.querySelector('button')
const main = document.querySelector('main'), folds = [...document.querySelectorAll('details')]
const canMark = 'highlights' in CSS
// Each marked range costs the browser about as much as its text.
const MOST = 10000
let matches = [], at = -1, opened = [], blocks

function find() {
  for (const fold of opened) fold.open = false
  opened = []
  at = -1
  matches = box.value === '' ? [] : matchesOf(box.value.toLowerCase())
  if (canMark) CSS.highlights.set('match', matches.reduce((all, each) => all.add(each), new Highlight()))
  if (matches.length > 0) go(1)
  else tell()
}

function matchesOf(wanted) {
  const found = []
  for (const block of blocks ??= texts()) {
    for (let from = block.low.indexOf(wanted); from >= 0; from = block.low.indexOf(wanted, from + wanted.length)) {
      if (found.length === MOST) return found
      found.push(rangeOf(block.nodes, from, from + wanted.length))
    }
  }
  return found
}

// The text of each block with its nodes: a match may run over the borders of colours.
function texts() {
  const walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT), found = []
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const block = node.parentElement.closest('p, pre, li, summary, td, th, h2, h3, .said')
    if (!block) continue
    if (found.at(-1)?.block !== block) found.push({ block, low: '', nodes: [] })
    const last = found.at(-1), low = node.data.toLowerCase()
    last.nodes.push({ node, from: last.low.length })
    // The lower case of a few capitals is longer, which would shift the offsets.
    last.low += low.length === node.data.length ? low : node.data
  }
  return found
}

function reveal(element) {
  for (let fold = element.closest('details'); fold; fold = fold.parentElement.closest('details')) {
    if (fold.open || fold.firstElementChild.contains(element)) continue
    fold.open = true
    opened.push(fold)
  }
}

function rangeOf(nodes, from, to) {
  const range = document.createRange()
  const first = nodes.findLast(each => each.from <= from), last = nodes.findLast(each => each.from < to)
  range.setStart(first.node, from - first.from)
  range.setEnd(last.node, to - last.from)
  return range
}

function go(by) {
  if (matches.length === 0) return
  at = (at + by + matches.length) % matches.length
  const range = matches[at]
  reveal(range.startContainer.parentElement)
  if (canMark) CSS.highlights.set('current', new Highlight(range))
  range.startContainer.parentElement.scrollIntoView({ block: 'center' })
  tell()
}

function tell() {
  if (canMark && matches.length === 0) CSS.highlights.delete('current')
  said.textContent = box.value === '' ? '' : matches.length === 0 ? 'no matches' : (at + 1) + ' of ' + matches.length + (matches.length === MOST ? '+' : '')
}

document.querySelector('.find').hidden = false
box.addEventListener('input', find)
box.addEventListener('keydown', event => {
  if (event.key === 'Enter') go(event.shiftKey ? -1 : 1)
  if (event.key === 'Escape') { box.value = ''; find(); box.blur() }
})
addEventListener('keydown', event => {
  if (event.key !== '/' || event.target === box || event.ctrlKey || event.metaKey || event.altKey) return
  event.preventDefault()
  box.focus()
})
toggle.addEventListener('click', () => {
  const open = folds.some(fold => !fold.open)
  for (const fold of folds) fold.open = open
  toggle.textContent = open ? 'Close all' : 'Open all'
})
const scrollers = new ResizeObserver(changed => {
  for (const { target } of changed) {
    if (target.scrollWidth > target.clientWidth || target.scrollHeight > target.clientHeight) target.tabIndex = 0
    else target.removeAttribute('tabindex')
  }
})
for (const each of document.querySelectorAll('pre, .table')) scrollers.observe(each)
`
