import { Box, Text, Transform } from 'ink'
import { describe, expect, test } from 'vitest'
import { Rows } from '../../../components/Rows.tsx'
import { Row } from '../../../components/Row.tsx'
import { empty } from '../../../src/style/styled.ts'
import { canvasOf, drawn } from '../draw.tsx'
import { linesFrom, paintedLines } from '../../helpers/lines.ts'

describe("rows in Ink's boxes are", () => {
  test('placed one below the other, with margins and padding', () => {
    const node = (
      <Box flexDirection="column" marginTop={1} paddingLeft={2}>
        <Text>one</Text>
        <Box marginTop={2}>
          <Text>two</Text>
        </Box>
      </Box>
    )
    expect(drawn(node, 40)).toEqual(['', '  one', '', '', '  two'])
  })

  test('placed beside each other, at the ends of a row', () => {
    const node = (
      <Box justifyContent="space-between">
        <Text>left</Text>
        <Text>你好</Text>
      </Box>
    )
    expect(drawn(node, 20)).toEqual([`left${' '.repeat(12)}你好`])
  })

  test('placed beside a box of several rows', () => {
    const node = (
      <Box columnGap={1}>
        <Box width={2}>
          <Rows rows={linesFrom('a', 'bb')} />
        </Box>
        <Text>c</Text>
      </Box>
    )
    expect(drawn(node, 20)).toEqual(['a  c', 'bb'])
  })

  test('empty for an empty text, and absent for an empty box', () => {
    expect(drawn(<Rows rows={linesFrom('', 'a', '')} />, 20)).toEqual(['', 'a', ''])
    expect(drawn(<Rows rows={[]} />, 20)).toEqual([])
    expect(drawn(<Rows gap rows={linesFrom('a')} />, 20)).toEqual(['', 'a'])
  })

  test('transformed by components, also inside another text', () => {
    const node = (
      <Text>
        a <Transform transform={text => text.toUpperCase()}>b{'\n'}c</Transform> d
      </Text>
    )
    expect(drawn(node, 20)).toEqual(['a B', 'C d'])
    expect(drawn(<Transform transform={line => `> ${line}`}>{'x\ny'}</Transform>, 20)).toEqual(['> x', '> y'])
  })

  test('drawn with their own colours', () => {
    const red = '\u001B[31mred\u001B[39m'
    expect(drawn(<Row text={linesFrom(red)[0] ?? empty} />, 20)).toEqual([red])
  })

  test('cut at the width of the screen', () => {
    expect(drawn(<Text wrap="truncate">{'x'.repeat(30)}</Text>, 20)).toEqual([`${'x'.repeat(19)}…`])
    const node = (
      <Box paddingLeft={5}>
        <Text wrap="truncate">{'x'.repeat(30)}</Text>
      </Box>
    )
    expect(drawn(node, 20)).toEqual([`${' '.repeat(5)}${'x'.repeat(14)}…`])
  })
})

test('only changed rows are drawn again', () => {
  const { canvas } = canvasOf(20)
  expect(paintedLines(canvas.draw(<Rows rows={linesFrom('a', 'b', 'c')} />))).toEqual(['a', 'b', 'c'])
  expect(paintedLines(canvas.draw(<Rows rows={linesFrom('a', 'x')} />))).toEqual(['a', 'x'])
  expect(paintedLines(canvas.draw(<Rows rows={linesFrom('y')} />))).toEqual(['y'])
  expect(paintedLines(canvas.draw(<Rows rows={linesFrom('y', 'z')} />))).toEqual(['y', 'z'])
  expect(paintedLines(canvas.draw(null))).toEqual([])
  void canvas.unmount()
})

test('a new width lays out again, even if no text changes', () => {
  const { canvas, output } = canvasOf(10)
  const node = (
    <Box justifyContent="flex-end">
      <Text>end</Text>
    </Box>
  )
  expect(paintedLines(canvas.draw(node))).toEqual([`${' '.repeat(7)}end`])
  output.columns = 6
  expect(paintedLines(canvas.draw(node))).toEqual(['   end'])
  void canvas.unmount()
})
