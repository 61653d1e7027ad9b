export default {
  title: 'Docs',
  url: 'https://example.org',
  baseUrl: '/',
  scripts: [{ src: '/plimsoll-calculator.js', defer: true }],
  presets: [['classic', { docs: { routeBasePath: '/', sidebarPath: undefined }, blog: false }]],
};
