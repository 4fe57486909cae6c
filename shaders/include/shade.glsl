// Metallic-roughness shading: a GGX lobe (Walter 2007) with the height-correlated Smith term in Hammon's form (2017),
// Schlick's Fresnel, Lambert's diffuse; the sky's part from the maps of src/render/environment.c.
uniform samplerCube u_environment;
uniform sampler2D u_reflectance;

struct Surface {
  vec3 normal;
  vec3 view;  // unit, towards the camera
  vec3 base_color;
  float metallic;
  float roughness;
};

vec3 sun_light(Surface s) {
  vec3 h = normalize(s.view + sun.xyz);
  float nl = clamp(dot(s.normal, sun.xyz), 0.0, 1.0);
  float nv = clamp(abs(dot(s.normal, s.view)), 0.001, 1.0);
  float nh = clamp(dot(s.normal, h), 0.0, 1.0), vh = clamp(dot(s.view, h), 0.0, 1.0);
  float a = s.roughness * s.roughness, aa = a * a;
  float d = nh * nh * (aa - 1.0) + 1.0;
  float visibility = 0.5 / max(mix(2.0 * nl * nv, nl + nv, a), 1e-4);
  vec3 f0 = mix(vec3(0.04), s.base_color, s.metallic);
  float fresnel = 1.0 - vh, fresnel2 = fresnel * fresnel;
  vec3 f = f0 + (1.0 - f0) * fresnel2 * fresnel2 * fresnel;
  vec3 diffuse = (1.0 - f) * (1.0 - s.metallic) * s.base_color;
  return (diffuse + f * (aa / (d * d) * visibility)) * nl * sun_color.rgb / 3.14159265;
}

// How much of the light from everywhere the facets reflect towards the viewer, and again after that among each other
// (Fdez-Agüera 2019, "A multiple-scattering microfacet model for real-time image-based lighting").
vec3 reflected_share(Surface s, vec3 f0) {
  vec2 scale = textureLod(u_reflectance, vec2(clamp(dot(s.normal, s.view), 0.0, 1.0), s.roughness), 0.0).rg;
  return (f0 * scale.x + scale.y) * (1.0 + f0 * (1.0 / max(scale.x + scale.y, 0.1) - 1.0));
}

vec3 sky_light(Surface s, float occlusion) {
  vec3 share = reflected_share(s, mix(vec3(0.04), s.base_color, s.metallic));
  vec3 mirrored = textureLod(u_environment, reflect(-s.view, s.normal), 4.0 * s.roughness).rgb;
  return (ambient_light(s.normal) * s.base_color * (1.0 - s.metallic) + mirrored * share) * occlusion;
}

// ---- sheen: the inverted Gaussian of fibres (Estevez and Kulla 2017) with Neubelt's visibility (2013) ----

vec3 sheen_sun(Surface s, float roughness) {
  vec3 h = normalize(s.view + sun.xyz);
  float nl = clamp(dot(s.normal, sun.xyz), 0.0, 1.0), nv = clamp(dot(s.normal, s.view), 0.001, 1.0);
  float nh = clamp(dot(s.normal, h), 0.0, 1.0), inverse = 1.0 / (roughness * roughness);
  float spread = (2.0 + inverse) * pow(max(1.0 - nh * nh, 0.0078125), 0.5 * inverse) / 6.2831853;
  float visibility = 0.25 / max(nl + nv - nl * nv, 1e-4);
  return sun_color.rgb * (spread * visibility * nl);
}

// How much of the light from everywhere the fibres scatter towards the viewer: the fit of Dassault's
// Enterprise PBR model (2021) to the integral of the above.
float sheen_albedo(Surface s, float roughness) {
  float nv = clamp(dot(s.normal, s.view), 0.0, 1.0), c = 1.0 - nv, c3 = c * c * c;
  return 0.65584461 * c3 + 1.0 / (4.16526551 + exp(-7.97291361 * roughness + 6.33516894));
}
