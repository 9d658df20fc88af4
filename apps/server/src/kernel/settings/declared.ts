import type { Module } from '../module.ts'
import type { SettingDefinition } from './define.ts'
import { kernelSettings } from './kernel-settings.ts'

/** Every setting of the program. */
export const settingsOf = (modules: readonly Pick<Module, 'settings'>[]): readonly SettingDefinition[] => [
  ...kernelSettings,
  ...modules.flatMap(({ settings }) => settings),
]
