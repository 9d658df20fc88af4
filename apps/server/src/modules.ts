import type { Module } from './kernel/module.ts'

/** Every module, each after those it uses. */
export const modules: readonly Module[] = []
