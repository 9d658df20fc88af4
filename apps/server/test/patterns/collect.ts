/**
 * Every regular expression of the product: the literals in the sources, those that are put together while the program
 * loads, and the `pattern`s of the OpenAPI document. Patterns that tenants write run on another engine and are not here.
 */
import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { SyntaxKind } from 'typescript/unstable/ast'
import { createScanner, tokenIsIdentifierOrKeyword } from 'typescript/unstable/ast/scanner'
import detect from '../../../../packages/detect/package.json' with { type: 'json' }
import graph from '../../../../packages/graph/package.json' with { type: 'json' }
import quant from '../../../../packages/quant/package.json' with { type: 'json' }
import { repository, sources } from '../borders/sources.ts'

export interface Pattern {
  readonly source: string
  readonly flags: string
  /** Where it stands, or how it was found. */
  readonly where: string
}

const folders = ['apps/server', 'packages/sdk', 'packages/detect', 'packages/quant', 'packages/graph'].map(
  (folder) => `${folder}/src`,
)

/** Tokens that may precede a division, so that a slash after them begins no pattern; names that are keywords too. */
const values: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.Identifier,
  SyntaxKind.NumericLiteral,
  SyntaxKind.BigIntLiteral,
  SyntaxKind.StringLiteral,
  SyntaxKind.RegularExpressionLiteral,
  SyntaxKind.NoSubstitutionTemplateLiteral,
  SyntaxKind.TemplateTail,
  SyntaxKind.CloseParenToken,
  SyntaxKind.CloseBracketToken,
  SyntaxKind.CloseBraceToken,
  SyntaxKind.PlusPlusToken,
  SyntaxKind.MinusMinusToken,
])

/** Words that ask for a value behind them. */
const asking: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.ReturnKeyword,
  SyntaxKind.CaseKeyword,
  SyntaxKind.TypeOfKeyword,
  SyntaxKind.VoidKeyword,
  SyntaxKind.InKeyword,
  SyntaxKind.InstanceOfKeyword,
  SyntaxKind.NewKeyword,
  SyntaxKind.ThrowKeyword,
  SyntaxKind.ElseKeyword,
  SyntaxKind.DoKeyword,
  SyntaxKind.OfKeyword,
  SyntaxKind.AwaitKeyword,
  SyntaxKind.YieldKeyword,
])

const endsValue = (token: SyntaxKind): boolean =>
  values.has(token) || (tokenIsIdentifierOrKeyword(token) && !asking.has(token))

export function literalPatterns(): readonly Pattern[] {
  return folders
    .flatMap(sources)
    .flatMap(({ path, text }) => patternsIn(text).map((found) => ({ ...found, where: path })))
}

/** The literals of one source text. */
export function patternsIn(text: string): readonly Omit<Pattern, 'where'>[] {
  return [...tokensOf(text)]
    .filter(({ kind }) => kind === SyntaxKind.RegularExpressionLiteral)
    .map((token) => partsOf(token.text))
}

export interface Token {
  readonly kind: SyntaxKind
  readonly text: string
}

/** The words, signs and literals of a source text, without comments; includes the code inside templates. */
export function* tokensOf(text: string): Generator<Token> {
  const scanner = createScanner(true)
  scanner.setText(text)
  // Braces that are open inside each template that is open.
  const templates: number[] = []
  let before: SyntaxKind = SyntaxKind.Unknown
  for (let token = scanner.scan(); token !== SyntaxKind.EndOfFile; token = scanner.scan()) {
    const inTemplate = templates.length > 0
    if (token === SyntaxKind.OpenBraceToken && inTemplate) templates.push((templates.pop() ?? 0) + 1)
    else if (token === SyntaxKind.CloseBraceToken && inTemplate) {
      const open = templates.pop() ?? 0
      if (open > 0) templates.push(open - 1)
      else {
        token = scanner.reScanTemplateToken(false)
        if (token === SyntaxKind.TemplateMiddle) templates.push(0)
      }
    } else if (token === SyntaxKind.TemplateHead) templates.push(0)
    else if ((token === SyntaxKind.SlashToken || token === SyntaxKind.SlashEqualsToken) && !endsValue(before)) {
      token = scanner.reScanSlashToken()
    }
    yield { kind: token, text: scanner.getTokenText() }
    before = token
  }
}

function partsOf(literal: string): Omit<Pattern, 'where'> {
  const end = literal.lastIndexOf('/')
  return { source: literal.slice(1, end), flags: literal.slice(end + 1) }
}

/** Loads the program and notes what its own code hands to `RegExp` meanwhile. */
const listener = `
  const entry = process.argv[1]
  const made = []
  const note = ([pattern, flags]) => {
    if (!new Error().stack.split('\\n')[3].includes(entry)) return
    made.push([pattern.source ?? String(pattern), flags ?? pattern.flags ?? ''])
  }
  globalThis.RegExp = new Proxy(RegExp, {
    construct: (target, args, to) => (note(args), Reflect.construct(target, args, to)),
    apply: (target, self, args) => (note(args), Reflect.apply(target, self, args)),
  })
  await import(entry)
  process.stdout.write(JSON.stringify(made), () => process.exit(0))`

/** Packages of the repository stay in what is built; the longest name comes first. */
function aliases(): Record<string, string> {
  const entries = [detect, quant, graph].flatMap((shipped) =>
    Object.entries(shipped.exports).map(([name, file]) => [
      `${shipped.name}${name.slice(1)}`,
      `./packages/${shipped.name.slice('@parapet/'.length)}/${file}`,
    ]),
  )
  return Object.fromEntries(entries.sort(([a = ''], [b = '']) => b.length - a.length))
}

export async function builtPatterns(): Promise<readonly Pattern[]> {
  // Inside the repository, so that packages are found.
  const folder = join(repository, 'dist', 'test', `patterns-${process.pid}-${performance.now().toFixed(3)}`)
  const file = join(folder, 'server.mjs')
  try {
    await build({
      absWorkingDir: repository,
      entryPoints: ['apps/server/src/main.ts'],
      outfile: file,
      bundle: true,
      platform: 'node',
      target: 'node20',
      format: 'esm',
      packages: 'external',
      alias: aliases(),
      logLevel: 'warning',
    })
    const args = ['--input-type=module', '-e', listener, pathToFileURL(file).href]
    const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 2 ** 26 })
    const made: readonly (readonly [string, string])[] = JSON.parse(stdout)
    return made.map(([source, flags]) => ({ source, flags, where: 'put together at load' }))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** @param schema a JSON document with schemas anywhere in it */
export function schemaPatterns(schema: unknown, where = '#'): readonly Pattern[] {
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([name, value]) => {
    if (name === 'pattern' && typeof value === 'string') return [{ source: value, flags: 'u', where }]
    const keys = name === 'patternProperties' ? Object.keys(value ?? {}) : []
    return [...keys.map((source) => ({ source, flags: 'u', where })), ...schemaPatterns(value, `${where}/${name}`)]
  })
}
