export default {
  title: 'Docs',
  head: [['script', { src: '/plimsoll-calculator.js', defer: '' }]],
  vue: { template: { compilerOptions: { isCustomElement: (tag) => tag.startsWith('plimsoll-') } } },
};
