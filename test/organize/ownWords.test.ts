// Answers keep what the assistant wrote first, and lose what they repeat of outside text.
import { expect, test } from 'vitest'
import { keepOwnWords } from '../../src/organize/ownWords.ts'
import { type ExampleSession, exampleSession, recordEvents } from '../testData.ts'

const READ = 'The cache of the parser is cleared whenever the module graph changes its shape.'

const answersOf = (example: ExampleSession): string[] =>
  keepOwnWords(recordEvents(example.ends().recorded)).flatMap((event) => (event.kind === 'answer' ? [event.text] : []))

test('organize: a sentence that an output had first is not kept in an answer, the others are', () => {
  const example = exampleSession().asks('Fix the cart.')
  example.runs('cat notes.txt', READ)
  example.answers(`Rounded half up in src/cart.ts. ${READ}`)
  expect(answersOf(example)).toEqual(['Rounded half up in src/cart.ts.'])
})

test('organize: what the assistant wrote into a file is its own when a command prints it', () => {
  const example = exampleSession().asks('Write the notes.')
  example.calls('Write', { file_path: 'notes.txt', content: READ }, {})
  example.runs('cat notes.txt', READ)
  example.answers(READ)
  expect(answersOf(example)).toEqual([READ])
})

test('organize: what a person typed is no outside text, what they pasted is', () => {
  const example = exampleSession().asks(`Please do this: ${READ}`)
  example.answers(READ)
  example.asks(`Summarize:\n\`\`\`\nOutside words that nobody here has typed before.\n\`\`\``)
  example.answers('Outside words that nobody here has typed before.')
  expect(answersOf(example)).toEqual([READ, ''])
})
