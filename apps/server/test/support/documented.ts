import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repository } from '../borders/sources.ts'
import { blocksOf } from '../docs/page.ts'

/** The one block of a language on a page: tests run the recommended text. @throws Error when there is another number */
export function blockOf(page: string, language: string): string {
  const found = blocksOf(readFileSync(join(repository, page), 'utf8')).filter((block) => block.language === language)
  if (found.length !== 1) throw new Error(`${page} has ${found.length} blocks of ${language}`)
  return found[0]?.text ?? ''
}
