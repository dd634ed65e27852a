// Nothing is asked of another host: `validatorUrl` would be.
window.SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#docs',
  deepLinking: true,
  displayRequestDuration: true,
  validatorUrl: null,
});
