"""Tests of the checkout function (bundlesvc/platforms/shopify/app/function): its compiled module runs as on the platform."""
