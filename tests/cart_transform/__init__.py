"""Tests of the checkout function (bundlesvc/platforms/shopify/function): its compiled module runs as on the platform."""
