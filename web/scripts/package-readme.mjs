// The README as the npm package has it. Its links lead to files that the tarball does not hold: where package.json says which
// repository this is, they lead there, and elsewhere their words stay.

/**
 * @param {string} text README.md @param {{version: string, repository?: {url: string} | undefined}} about of package.json
 * @returns {string}
 */
export function packageReadme(text, { version, repository }) {
  const address = repository?.url.replace(/^git\+/, '').replace(/\.git$/, '');
  const plain = text.replace(/^!\[[^\]]*\]\((?!https?:)[^)]*\)\n+/gm, '').replace(/^<!--.*-->\n/gm, '');
  return plain.replace(/\[([^\]]+)\]\((?!https?:|#)([^)\s]+)\)/g, (_, words, path) =>
    address ? `[${words}](${address}/blob/v${version}/${path})` : words,
  );
}
