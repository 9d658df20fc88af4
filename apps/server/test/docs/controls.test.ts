/** The lists of docs/security are what the tests prove: on made-up lists, whose faults are known, and on the real ones. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { repository } from '../borders/sources.ts'
import type { Matrix } from '../support/matrices.ts'

interface Control {
  readonly id: string
  readonly title: string
  readonly promise: string
  readonly state: string
  readonly missing?: string
}

interface Title {
  readonly title: string
  readonly ids: readonly string[]
  readonly kind: 'describe' | 'test'
  readonly line: number
  readonly within: readonly string[]
  readonly file?: string
  readonly withinIds?: readonly string[]
}

interface Requirement {
  readonly id: string
  readonly level: number
  readonly topic: string
  readonly verdict: string
  readonly evidence: readonly string[]
  readonly why: string
}

interface Scripts {
  readonly chapters: readonly (readonly [name: string, requirements: number, ofLevelOne: number])[]
  asvsFaults(
    requirements: readonly Requirement[],
    controls: readonly Control[],
    exists: (path: string) => boolean,
  ): readonly string[]
  titlesIn(source: string): readonly Title[]
  listFaults(controls: readonly Control[]): readonly string[]
  matrixFaults(matrices: readonly Matrix[], controls: readonly Control[]): readonly string[]
  titleFaults(controls: readonly Control[], titles: readonly Title[]): readonly string[]
  runFaults(
    controls: readonly Control[],
    titles: readonly Title[],
    reports: readonly object[],
    elsewhere?: readonly string[],
  ): readonly string[]
  controlsPage(controls: readonly Control[], titles: readonly Title[]): string
  examine(): {
    readonly controls: readonly Control[]
    readonly titles: readonly Title[]
    readonly pages: ReadonlyMap<string, string>
    readonly faults: readonly string[]
  }
  stale(pages: ReadonlyMap<string, string>): readonly string[]
}

const load = (name: string) => import(pathToFileURL(join(repository, 'scripts', name)).href)
const parts = await Promise.all(
  ['.mjs', '/titles.mjs', '/check.mjs', '/pages.mjs', '/asvs.mjs'].map((name) => load(`controls${name}`)),
)
const {
  titlesIn,
  listFaults,
  matrixFaults,
  titleFaults,
  runFaults,
  controlsPage,
  chapters,
  asvsFaults,
  examine,
  stale,
} = Object.assign({}, ...parts) as Scripts

const control = (id: string, state = 'enforced', missing?: string): Control => ({
  id,
  title: 'A title',
  promise: 'A promise.',
  state,
  ...(missing === undefined ? {} : { missing }),
})
const written = (source: string): readonly Title[] =>
  titlesIn(source).map((title) => ({ ...title, file: 'a.test.ts', withinIds: [] }))

/** A report of one file in the form of vitest's JSON reporter. */
const report = (...tests: readonly (readonly [status: string, ...titles: string[]])[]) => ({
  testResults: [
    {
      name: '/repository/a.test.ts',
      assertionResults: tests.map(([status, ...titles]) => ({
        status,
        ancestorTitles: titles.slice(0, -1),
        title: titles.at(-1),
      })),
    },
  ],
})

describe('titles', () => {
  test('are found behind tables, conditions, types and aliases, and with what is around them', () => {
    const found = titlesIn(`
      const onEmbedded = it.runIf(process.env.KIND !== 'pg')
      describe.skipIf(!(await isAvailable('pg')))('C10 C15 rows', () => {
        test.each<[string, () => void]>([['a )', () => undefined]])('of %s', (name) => {})
        onEmbedded(
          'C20 never',
          () => {},
        )
      })
      it(\`C31 \${kind === 'x' ? ')' : '('} ends\`, () => {})`)
    expect(found.map(({ title, ids, within }) => [title, ids, within])).toEqual([
      ['C10 C15 rows', ['C10', 'C15'], []],
      ['of %s', [], ['C10 C15 rows']],
      ['C20 never', ['C20'], ['C10 C15 rows']],
      [`C31 \${kind === 'x' ? ')' : '('} ends`, ['C31'], []],
    ])
    expect(found.map(({ line }) => line)).toEqual([3, 4, 5, 10])
  })

  test('in comments, texts, patterns and other functions are none', () => {
    const found = titlesIn(`
      // test('C10 a', () => {})
      /* test('C11 b', () => {}) */
      const text = "test('C12 c', () => {})" + 6 / 2 + 'x'.length / 2
      const pattern = /test\\('C13 [/')]/g
      other('C14 d'); it.begin('C15 e'); world.test('C16 f')
      test(titleOf('C20 g'), () => {})
      test('C21 h', () => {})`)
    expect(found.map(({ title }) => title)).toEqual(['C21 h'])
  })
})

describe('a list is refused', () => {
  test.each<[string, readonly Control[], string]>([
    ['out of order', [control('C11'), control('C10')], 'order of their ids'],
    ['with an id twice', [control('C10'), control('C10')], 'order of their ids'],
    ['with an id of another form', [control('C1')], 'is no id'],
    ['with an unknown state', [control('C10', 'done', 'All.')], 'its state is none of'],
    ['enforced and incomplete', [control('C10', 'enforced', 'Something.')], 'something is missing'],
    ['partial without a reason', [control('C10', 'partial')], 'what is missing'],
    ['with two sentences', [control('C10', 'planned', 'One. Two.')], 'what is missing'],
  ])('%s', (_what, controls, fault) => {
    expect(listFaults(controls).join()).toContain(fault)
  })

  test('and one that is as it should be is not', () => {
    expect(listFaults([control('C10'), control('C11', 'partial', 'Much.'), control('C12', 'planned', 'All.')])).toEqual(
      [],
    )
  })
})

describe('titles and a list', () => {
  const controls = [control('C10'), control('C11', 'partial', 'Much.'), control('C12', 'planned', 'All.')]
  const both = "test('C10 a', f); test('C11 b', f);"

  test('that fit have no fault', () => {
    expect(titleFaults(controls, written(both))).toEqual([])
  })

  test.each([
    ['a control nobody proves', "test('C10 a', f)", 'C11 is partial and no test names it.'],
    ['an id that is none', `${both} test('C99 c', f)`, 'a.test.ts:1 names C99, which is no control.'],
    ['a claim of what is planned', `${both} test('C12 c', f)`, 'a.test.ts:1 claims C12, which is planned.'],
    ['an id in the middle', `${both} test('the C10 c', f)`, 'a control elsewhere than at its front: the C10 c'],
    ['the form with brackets', `${both} test('[C10] c', f)`, 'a control elsewhere than at its front: [C10] c'],
  ])('with %s have a fault', (_what, source, fault) => {
    expect(titleFaults(controls, written(source)).join()).toContain(fault)
  })
})

describe('a run', () => {
  const controls = [control('C10')]
  const titles = written("describe('C10 rows', () => { test('of %s', f) })")
  const passed = report(['passed', 'C10 rows', 'of a'])

  test('in which every test with an id passed has no fault', () => {
    expect(runFaults(controls, titles, [passed])).toEqual([])
  })

  test('is looked at over all reports', () => {
    expect(runFaults(controls, titles, [report(['skipped', 'C10 rows', 'of a']), passed])).toEqual([])
  })

  test('counts only failures in files that other runs hold', () => {
    const skipped = [passed, report(['skipped', 'C10 rows', 'of b'])]
    const failed = [passed, report(['failed', 'C10 rows', 'of b'])]
    expect(runFaults(controls, titles, skipped, ['a.test.ts'])).toEqual([])
    expect(runFaults(controls, titles, failed, ['a.test.ts'])).toEqual(['C10: passed in no report: C10 rows > of b'])
  })

  test.each<[string, readonly object[], string]>([
    ['nothing', [report()], 'C10 is enforced and no test of it passed.'],
    ['a title less', [report()], 'a.test.ts:1 did not run: C10 rows'],
    ['a skipped test', [passed, report(['skipped', 'C10 rows', 'of b'])], 'passed in no report: C10 rows > of b'],
    ['a failed test', [passed, report(['failed', 'C10 rows', 'of b'])], 'passed in no report: C10 rows > of b'],
    ['an id that is made as it runs', [passed, report(['passed', 'C99 x'])], 'names C99, which is no control.'],
  ])('with %s has a fault', (_what, reports, fault) => {
    expect(runFaults(controls, titles, reports)).toContainEqual(expect.stringContaining(fault))
  })
})

describe('verdicts', () => {
  const controls = [control('C10'), control('C12', 'planned', 'All.')]
  const all = chapters.flatMap(([, count, ofLevelOne], index) =>
    Array.from(
      { length: count },
      (_, place): Requirement => ({
        id: `V${index + 1}.1.${place + 1}`,
        level: place < ofLevelOne ? 1 : 2,
        topic: 'A topic',
        verdict: 'met',
        evidence: ['C10'],
        why: 'Because.',
      }),
    ),
  )
  const [first = null, ...others] = all
  const changed = (change: Partial<Requirement>) => (first === null ? [] : [{ ...first, ...change }, ...others])
  const faultsOf = (list: readonly Requirement[]) => asvsFaults(list, controls, (path) => path === 'there.ts')

  test('on each of the 246 requirements have no fault', () => {
    expect([all.length, faultsOf(all)]).toEqual([246, []])
    expect(faultsOf(changed({ evidence: ['there.ts'] }))).toEqual([])
    expect(faultsOf(changed({ verdict: 'partly', evidence: ['C12'] }))).toEqual([])
  })

  test.each<[string, readonly Requirement[], string]>([
    ['with one missing', others, 'V1 Encoding and sanitization has 26 requirements, not 27.'],
    ['with one twice', [...others, ...others.slice(0, 1)], 'V1.1.2 is there twice.'],
    ['on WebRTC', changed({ id: 'V17.1.1' }), 'V17.1.1 is no id.'],
    ['of another level', changed({ level: 2 }), 'V1 Encoding and sanitization has 7 of level 1, not 8.'],
    ['of level 3', changed({ level: 3 }), 'is of no level we judge'],
    ['of another word', changed({ verdict: 'fine' }), 'has the verdict fine'],
    ['without a reason', changed({ why: '' }), 'does not say why'],
    ['met by nothing', changed({ evidence: [] }), 'has no evidence'],
    ['met by what is planned', changed({ evidence: ['C10', 'C12'] }), 'is met by C12, which is planned'],
    ['by a control that is none', changed({ evidence: ['C99'] }), 'names C99, which is not there'],
    ['by a file that is gone', changed({ evidence: ['gone.ts'] }), 'names gone.ts, which is not there'],
    ['with a long topic', changed({ topic: 'a b c d e f g h i' }), 'more than eight words'],
  ])('%s have a fault', (_what, list, fault) => {
    expect(faultsOf(list).join()).toContain(fault)
  })
})

describe('the repository', () => {
  const { controls, titles, pages, faults } = examine()

  test('has a test for every promise, a promise for every test that claims one, and evidence for every verdict', () => {
    expect(faults).toEqual([])
    // Nothing is found where nothing is looked at.
    expect(titles.length).toBeGreaterThan(3_000)
    expect(controls.length).toBeGreaterThan(50)
  })

  test('loses a proof with the titles that name it', () => {
    const without = titles.filter(({ ids }) => !ids.includes('C10'))
    expect(titleFaults(controls, without)).toEqual(['C10 is enforced and no test names it.'])
  })

  test('has pages that tell what the lists tell', () => {
    expect(stale(pages)).toEqual([])
    expect(stale(new Map([['docs/security/controls.md', controlsPage(controls.slice(1), titles)]]))).toHaveLength(1)
  })
})

describe('the list of what tests make for themselves', () => {
  const good: Matrix = { name: 'cases', controls: ['C01'], least: 10 }

  test('is faulty where a size, a control or its proof is missing, or a name is there twice', () => {
    const controls = [control('C01'), control('C02', 'planned', 'All is missing.')]
    expect(matrixFaults([good], controls)).toEqual([])
    expect(
      matrixFaults(
        [good, { ...good }, { ...good, name: 'none', least: 0 }, { name: 'idle', controls: [], least: 1 }],
        controls,
      ),
    ).toEqual(['cases: is there twice.', 'none: has no least size.', 'idle: proves nothing.'])
    expect(matrixFaults([{ ...good, controls: ['C02', 'C99'] }], controls)).toEqual([
      'cases: proves C02, which no test could.',
      'cases: proves C99, which no test could.',
    ])
  })
})
