// Lists the sentences of the guide that are long: `node tests/guide/sentences.mjs [WORDS]`, of more than 25 words, or of 62 characters of Chinese.
import { languages, markdown, pages } from '../../web/scripts/guide/sources.mjs';
import { length, sentences } from './text.mjs';

const most = Number(process.argv[2] ?? 25);

for (const language of languages())
  for (const page of pages())
    for (const sentence of sentences(markdown(language, page))) {
      const words = length(sentence, language);
      if (words > (language.startsWith('zh') ? most * 2.5 : most)) console.log(`${language}/${page}.md: ${words}: ${sentence}`);
    }
