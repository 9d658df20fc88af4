const declaration = /export const modules: readonly Module\[\] = \[([^\]]*)\]/

/** The list of modules with one more: at the end, after everything it may use. @throws Error for a list of another form */
export function withModule(text, { name, variable }) {
  const listed = declaration.exec(text)
  const imports = text.split('\n').filter((line) => /^import \w+ from '\.\/modules\//.test(line))
  const last = imports.at(-1)
  if (listed === null || last === undefined) throw new Error('modules.ts has another form than expected')
  const sorted = [...imports, `import ${variable} from './modules/${name}/index.ts'`].sort(byPath)
  const names = [...listed[1].split(',').map((one) => one.trim()), variable].filter((one) => one !== '')
  return text.replace(imports.join('\n'), sorted.join('\n')).replace(listed[0], declarationOf(names))
}

/** As the formatter writes it: on one line of 120 characters, or with a line for each. */
function declarationOf(names) {
  const line = `export const modules: readonly Module[] = [${names.join(', ')}]`
  return line.length <= 120 ? line : line.replace(/\[(?!\]).*\]$/, `[\n${names.map((one) => `  ${one},\n`).join('')}]`)
}

const byPath = (one, other) => (pathOf(one) < pathOf(other) ? -1 : 1)
const pathOf = (line) => /'(.+)'/.exec(line)?.[1] ?? ''
