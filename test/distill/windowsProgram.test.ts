// The client that npm installed on Windows is started without a shell.
import { expect, test } from 'vitest'
import { findWindowsProgram } from '../../src/distill/models/askClaude.ts'

const NPM = 'C:\\Users\\太郎\\AppData\\Roaming\\npm'
const SHIM = [
  '@ECHO off',
  'GOTO start',
  ':find_dp0',
  'SET dp0=%~dp0',
  'EXIT /b',
  ':start',
  'IF EXIST "%dp0%\\node.exe" (',
  '  SET "_prog=%dp0%\\node.exe"',
  ') ELSE (',
  '  SET "_prog=node"',
  ')',
  'endLocal & goto #_undefined_# 2>NUL || "%_prog%"  "%dp0%\\node_modules\\@anthropic-ai\\claude-code\\cli.js" %*',
].join('\r\n')

const diskWith = (files: Readonly<Record<string, string>>) => ({
  exists: (file: string) => file in files,
  read: (file: string) => files[file] ?? '',
})

test('distill: a .cmd of npm is replaced by the script that it starts', () => {
  const disk = diskWith({ [`${NPM}\\claude.cmd`]: SHIM })
  const env = { Path: `C:\\Windows;${NPM}` }
  const started = { file: process.execPath, words: [`${NPM}\\node_modules\\@anthropic-ai\\claude-code\\cli.js`] }
  expect(findWindowsProgram('claude', env, disk)).toEqual(started)
  expect(findWindowsProgram(`${NPM}\\claude.cmd`, {}, disk)).toEqual(started)
})

test('distill: one that starts a program is replaced by that program', () => {
  const disk = diskWith({ [`${NPM}\\claude.cmd`]: '@"%~dp0\\node_modules\\claude\\bin\\claude.exe" %*\r\n' })
  expect(findWindowsProgram('claude', { PATH: NPM }, disk)).toEqual({
    file: `${NPM}\\node_modules\\claude\\bin\\claude.exe`,
    words: [],
  })
})

test('distill: a program that Windows finds by itself, and one that is not there, stay as they are', () => {
  const disk = diskWith({ 'C:\\bin\\claude.exe': '', [`${NPM}\\claude.cmd`]: SHIM })
  for (const command of ['claude', 'C:\\bin\\claude.exe', 'other'])
    expect(findWindowsProgram(command, { PATH: `C:\\bin;${NPM}` }, disk)).toEqual({ file: command, words: [] })
})
